// The hooks from CommonJS use the same React instance as CommonJS code.
const assert = require('node:assert')
const { createElement } = require('react')
const { renderToString } = require('react-dom/server')
const { useDebounce } = require('lull')

const Rested = () => createElement('p', null, useDebounce('text', 100))
assert.strictEqual(renderToString(createElement(Rested)), '<p>text</p>')
