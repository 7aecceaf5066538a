export const native = {
  name: 'native',
  async check({ build, node }, check) {
    await check('bundles for React Native', () => build())
    await check("lull/core works with React Native's globals", () => node('check-core.js'))
    await check("lull/fetch waits, retries and aborts with React Native's globals", () =>
      node('check-fetch.js'),
    )
    await check("the hooks work with React Native's globals", () => node('check-hooks.js'))
  },
}
