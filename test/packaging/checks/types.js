const versions = ['5', '6', '7']
const settings = [
  ['node16', 'hooks, core, fetch and testing under node16'],
  ['nodenext', 'hooks, core, fetch and testing under nodenext, from CommonJS too'],
  ['bundler', 'hooks, core, fetch and testing under bundler'],
  ['core-in-node', 'core without the types of React and the DOM'],
  ['core-in-worker', 'core with the types of a worker'],
]

export const types = {
  name: 'types',
  async check({ node }, check) {
    for (const version of versions) {
      for (const [setting, what] of settings) {
        await check(`TypeScript ${version} takes ${what}`, () =>
          node(`node_modules/typescript-${version}/bin/tsc`, '--project', `tsconfig.${setting}.json`),
        )
      }
    }
  },
}
