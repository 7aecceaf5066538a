// The page of a test in Node.
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('', { url: 'https://page.example/' })
const { document, navigator } = window
for (const [name, value] of Object.entries({ window, document, navigator }))
  Object.defineProperty(globalThis, name, { value, configurable: true })
