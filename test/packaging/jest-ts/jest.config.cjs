// As `npx ts-jest config:init` writes it.
const { createDefaultPreset } = require('ts-jest')

module.exports = { testEnvironment: 'node', transform: { ...createDefaultPreset().transform } }
