const settings = {
  node10: 'all entries under node10, which reads no exports',
  node16: 'all entries under node16, from CommonJS too',
  nodenext: 'all entries under nodenext, from CommonJS too',
  bundler: 'all entries under bundler',
  'core-in-node': 'core without the types of React and the DOM',
  'core-in-worker': 'core with the types of a worker',
}
const modern = ['node16', 'nodenext', 'bundler', 'core-in-node', 'core-in-worker']

/** What each version knows of. The first is the least that the package takes; the libraries are those of 2020. */
const versions = {
  4.7: ['node10', ...modern.filter((setting) => setting !== 'bundler')],
  '5.0': ['node10', ...modern],
  5.9: ['node10', ...modern],
  '6.0': modern,
  '7.0': modern,
}

export const types = {
  name: 'types',
  async check({ node }, check) {
    for (const [version, known] of Object.entries(versions)) {
      for (const setting of known) {
        await check(`TypeScript ${version} takes ${settings[setting]}`, () =>
          node(`node_modules/typescript-${version}/bin/tsc`, '--project', `tsconfig.${setting}.json`),
        )
      }
    }
  },
}
