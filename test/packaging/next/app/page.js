// A server component: it uses the core, and shows what the client's file exports.
import { every } from 'lull/core'
import { createElement, Fragment } from 'react'
import { App } from './client-app.js'
import { Askers } from './client-fetch.js'

export default function Page() {
  return createElement(
    Fragment,
    null,
    createElement('p', { id: 'server' }, `${every(100)} a second`),
    createElement(App),
    createElement(Askers),
  )
}
