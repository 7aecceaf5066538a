// For Jest with CommonJS; it does not transform modules.
module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }
