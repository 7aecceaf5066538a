'use client'

import { RateLimitProvider, useCountdown, useRateLimitedFetch, useRateLimitStatus } from 'lull'
import { createElement, useEffect, useState } from 'react'

/**
 * Fetches the route by the page's fetch, or by its own with `options`, and shows the response and the gate.
 */
function Asker({ name, options }) {
  const fetch = useRateLimitedFetch(options)
  const { inFlight, gate } = useRateLimitStatus(options && fetch)
  const seconds = useCountdown(gate.until)
  const [statuses, setStatuses] = useState([])

  const ask = async () => {
    const { status } = await fetch('/api/limit', { headers: { 'x-user': name } })
    setStatuses((all) => [...all, status])
  }
  return createElement(
    'section',
    null,
    createElement('button', { onClick: ask }, `Ask as ${name}`),
    createElement('output', { id: name }, statuses.join(', ')),
    createElement(
      'output',
      { id: `${name}-gate` },
      `${inFlight} in flight, open: ${gate.open}, ${seconds} s`,
    ),
  )
}

/** Exposes the fetch of its provider, or of the page, to the check. */
export function Remember({ name }) {
  const fetch = useRateLimitedFetch()
  useEffect(() => {
    globalThis.found = { ...globalThis.found, [name]: fetch }
  })
  return null
}

const askers = (name) => [
  createElement(Asker, { key: 'shared', name: `${name}-shared` }),
  createElement(Asker, { key: 'own', name: `${name}-own`, options: { ratePerSecond: 5, maxRetries: 0 } }),
]

export function Askers() {
  return [
    ...askers('page'),
    createElement(RateLimitProvider, { key: 'provider', options: { concurrency: 2 } }, askers('provider')),
  ]
}
