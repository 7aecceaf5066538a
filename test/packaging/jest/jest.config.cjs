// JEST_AS=modules runs Jest under --experimental-vm-modules, without Babel. Otherwise Babel compiles to
// CommonJS the tests, and the packages without CommonJS: node-fetch and its dependencies.
const modules = ['node-fetch', 'data-uri-to-buffer', 'fetch-blob', 'formdata-polyfill']

const shared =
  process.env.JEST_AS === 'modules'
    ? { transform: {} }
    : {
        transform: { '\\.m?js$': 'babel-jest' },
        transformIgnorePatterns: [`/node_modules/(?!(${modules.join('|')})/)`],
      }

const project = (environment) => ({
  ...shared,
  displayName: environment,
  testEnvironment: environment,
  testMatch: ['**/test/*.mjs', `**/test/${environment}/*.mjs`],
})

module.exports = { projects: [project('node'), project('jsdom')] }
