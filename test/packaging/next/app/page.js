// A server component: it uses the core, renders exports of the client file, and provides a fetch.
import { RateLimitProvider } from 'lull'
import { every } from 'lull/core'
import { createElement, Fragment } from 'react'
import { App } from './client-app.js'
import { Askers, Remember } from './client-fetch.js'

export default function Page() {
  return createElement(
    Fragment,
    null,
    createElement('p', { id: 'server' }, `${every(100)} a second`),
    createElement(App),
    createElement(Askers),
    createElement(Remember, { name: 'outside' }),
    createElement(
      RateLimitProvider,
      { options: { concurrency: 2 } },
      createElement(Remember, { name: 'inside' }),
    ),
  )
}
