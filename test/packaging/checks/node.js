export const node = {
  name: 'node',
  parts: ['worker.js'],
  async check({ node }, check) {
    await check('imports core, fetch, redis and testing without React', () => node('import.js'))
    await check('requires core, fetch, redis and testing from CommonJS', () => node('require.cjs'))
    await check('so does what cannot require a module', () =>
      node('--no-experimental-require-module', 'require.cjs'),
    )
    await check('lull/core debounces and limits in a thread', () => node('worker-thread.js'))
  },
}
