// Production React in jsdom, with the `window` that hooks look for. React reads both when it is loaded.
process.env.NODE_ENV = 'production'
const { JSDOM } = await import('jsdom')
const { window } = new JSDOM('<!doctype html>')
// The platform's timers: jsdom's own would be measured, of those who write `window.setTimeout`.
for (const name of ['setTimeout', 'clearTimeout']) window[name] = (...args) => globalThis[name](...args)
const { document } = window
const addEventListener = window.addEventListener.bind(window)
Object.assign(globalThis, { window, document, addEventListener })
