// What a paced call without any limit costs over a plain async wrapper, around a fetch that answers at once: the
// arguments are read, the bucket is found, the answer is judged. Rounds interleaved, medians of the differences.
import { createRateLimitedFetch } from '../dist/fetch/index.js'
import { median } from './measure.js'

const CALLS = 20_000
const ROUNDS = 21
const WARM_UP = 5
const URL_ASKED = 'https://api.test/things/1'

const response = new globalThis.Response('answer', { headers: { 'content-type': 'text/plain' } })
const answer = async () => response
const wrapped = async (input, init) => {
  const answered = await answer(input, init)
  return answered
}
const paced = createRateLimitedFetch({ fetch: answer })

async function usPerCall(fetch, init) {
  const start = process.hrtime.bigint()
  for (let call = 0; call < CALLS; call++)
    if ((await fetch(URL_ASKED, init)) !== response) throw new Error('Another response')
  return Number(process.hrtime.bigint() - start) / CALLS / 1000
}

const { signal } = new globalThis.AbortController()
for (const [name, init] of [
  ['a URL', undefined],
  ['a URL and a signal', { signal }],
  ['a URL and headers', { headers: { accept: 'application/json' } }],
]) {
  const floors = []
  const over = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const floor = await usPerCall(wrapped, init)
    const us = await usPerCall(paced, init)
    if (round < 0) continue
    floors.push(floor)
    over.push(us - floor)
  }
  const sorted = over.toSorted((a, b) => a - b)
  const spread = `${sorted[ROUNDS >> 2].toFixed(2)}–${sorted[(3 * ROUNDS) >> 2].toFixed(2)}`
  console.log(
    `${name}: ${median(floors).toFixed(2)} µs wrapped, ${median(over).toFixed(2)} µs more paced (${spread})`,
  )
}
