// A scenario is a server and the instants of 150 calls, all at once or as a stream.
import { createBucketServer, createPausingServer } from './bucket-server.js'

const CALLS = 150
/** The rate of the calls as a multiple of the server's. */
const OVERLOAD = 1.5

const PAUSE_MS = 2000
const CALLS_IN_PAUSE = 20
/** The calls in the pause come after the refusal has arrived and before the pause ends. */
const PAUSE_FROM_MS = 200
const PAUSE_TO_MS = 1950

const retryAfter = { retryAfter: true }

/** The options of the servers. */
const servers = {
  S1: { title: '`Retry-After`', tells: retryAfter },
  S2: { title: '`RateLimit` in every response', tells: { retryAfter: true, rateLimit: true } },
  S3: { title: 'no header', tells: {} },
  // At the full rate 150 calls take 7 s. The omniscient client has served 60 when the rate is halved, 110 when it is restored.
  S4: {
    title: '`Retry-After`, halved from 2.5 s to 7.5 s',
    tells: retryAfter,
    changes: [
      { afterMs: 2500, factor: 0.5 },
      { afterMs: 7500, factor: 1 },
    ],
  },
  S5: { title: 'one pause of 2 s', pauseMs: PAUSE_MS },
  'S1-40-20': {
    title: '`Retry-After`, 40 a second, burst 20',
    tells: retryAfter,
    ratePerSecond: 40,
    burst: 20,
  },
  'S1-20-5': { title: '`Retry-After`, 20 a second, burst 5', tells: retryAfter, burst: 5 },
}

export const scenarioNames = Object.keys(servers)

/** Another `createRandom`, for the streams: the bounds of the race's test are those of its numbers (xorshift of 32 bits). */
function xorshift(seed) {
  let state = (seed * 2_654_435_769 + 0x9e3779b9) | 0 || 1
  function random() {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  // The first numbers of small seeds are alike.
  for (let i = 0; i < 20; i++) random()
  return random
}

/** @param seed of the Poisson stream, in S5 of the instants in the pause; undefined: all calls at once */
export function makeScenario(name, seed) {
  const { title, ...options } = servers[name]
  const { ratePerSecond = 20, pauseMs } = options
  const isAtOnce = seed === undefined
  const random = xorshift(seed ?? 0)
  const create = pauseMs === undefined ? createBucketServer : createPausingServer
  return {
    name,
    title,
    arrivals: isAtOnce ? 'at once' : 'Poisson',
    calls: pauseMs === undefined ? stream() : inPause(),
    makeServer: (now) => create(options, now),
  }

  function stream() {
    let at = 0
    const gap = () => (isAtOnce ? 0 : (-Math.log(1 - random()) / (ratePerSecond * OVERLOAD)) * 1000)
    return Array.from({ length: CALLS }, (_, index) => (at += index === 0 ? 0 : gap()))
  }

  function inPause() {
    const span = PAUSE_TO_MS - PAUSE_FROM_MS
    const instant = () => (isAtOnce ? PAUSE_FROM_MS : PAUSE_FROM_MS + random() * span)
    return [0, ...Array.from({ length: CALLS_IN_PAUSE }, instant).sort((a, b) => a - b)]
  }
}
