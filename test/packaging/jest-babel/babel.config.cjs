// As Jest's page "Using Babel" has it.
module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }
