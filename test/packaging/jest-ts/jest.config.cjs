// The output of `npx ts-jest config:init`.
const { createDefaultPreset } = require('ts-jest')

module.exports = { testEnvironment: 'node', transform: { ...createDefaultPreset().transform } }
