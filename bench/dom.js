// Production React in jsdom, with the `window` that hooks check for. React reads both when it is loaded.
process.env.NODE_ENV = 'production'
const { JSDOM } = await import('jsdom')
const { window } = new JSDOM('<!doctype html>')
// The platform's timers. Otherwise libraries that call `window.setTimeout` would be measured with jsdom's.
for (const name of ['setTimeout', 'clearTimeout']) window[name] = (...args) => globalThis[name](...args)
const { document } = window
const addEventListener = window.addEventListener.bind(window)
Object.assign(globalThis, { window, document, addEventListener })
