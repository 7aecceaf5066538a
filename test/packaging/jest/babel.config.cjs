// For Jest as CommonJS; what it runs as modules it does not transform.
module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }
