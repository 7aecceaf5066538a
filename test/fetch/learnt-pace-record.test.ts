import { describe, expect, it } from 'vitest'
import { createLearntPace } from '../../src/fetch/learnt-pace.ts'

/** A token bucket on its own time, whose pauses are whole seconds. */
interface Server {
  rateAt: (now: number) => number
  burst: number
  /** Calls come without end; or so many at a time, and then none for so long. */
  rounds?: { calls: number; restMs: number }
  untilMs: number
}

/** Each refusal as `instant: passes since the last, rate and burst from then on`; with the pace, and when it is then. */
function play({ rateAt, burst, rounds = { calls: Infinity, restMs: 0 }, untilMs }: Server) {
  const pace = createLearntPace()
  const refusals: string[] = []
  let tokens = burst
  let last = 0
  let now = 0
  let passes = 0
  for (let call = 1; now < untilMs; call++) {
    now = pace.readyAt(now)
    tokens = Math.min(burst, tokens + ((now - last) / 1000) * rateAt(now))
    last = now
    pace.sent(now)
    if (tokens >= 1 - 1e-9) {
      tokens--
      passes++
      pace.passed(now)
    } else {
      const opensAt = now + Math.ceil((1 - tokens) / rateAt(now)) * 1000
      pace.refused(now, opensAt)
      const { ratePerSecond = Infinity, burst: most = Infinity } = pace.estimate ?? {}
      refusals.push(`${Math.round(now)}: ${passes}, ${ratePerSecond.toFixed(2)} ${most.toFixed(2)}`)
      passes = 0
      now = opensAt
    }
    if (call % rounds.calls === 0) now += rounds.restMs
  }
  return { refusals, pace, now }
}

// A record of what it makes of some servers, to two decimals. Whoever changes how it learns writes it anew; that it learns well
// is what learnt-pace-laws.test.ts and race.test.ts say.
describe('R67 what the learnt pace makes of each refusal', () => {
  it.each<[what: string, server: Server, refusals: string[]]>([
    [
      'of 20 a second, 10 at once',
      { rateAt: () => 20, burst: 10, untilMs: 60_000 },
      [
        '0: 10, 15.00 10.00',
        '1496: 19, 18.57 10.00',
        '10542: 170, 19.09 10.00',
        '30140: 380, 19.10 10.00',
        '49731: 380, 19.11 10.00',
      ],
    ],
    [
      'of 2 a second, 5 at once',
      { rateAt: () => 2, burst: 5, untilMs: 40_000 },
      [
        '0: 5, 7.50 5.00',
        '1000: 2, 3.00 2.00',
        '2872: 3, 2.40 2.00',
        '5847: 6, 2.26 2.00',
        '12393: 13, 1.90 2.00',
        '21929: 19, 1.91 2.00',
        '31441: 19, 1.92 2.00',
      ],
    ],
    [
      'of 100 a second, 1 at once',
      { rateAt: () => 100, burst: 1, untilMs: 40_000 },
      [
        '0: 1, Infinity Infinity',
        '1000: 1, Infinity Infinity',
        '2000: 1, Infinity Infinity',
        '3000: 1, Infinity Infinity',
        '4000: 1, 1.50 1.00',
        '14195: 61, 84.24 1.00',
        '31681: 1444, 89.80 1.00',
      ],
    ],
    [
      'of 10 a second, 100 at once',
      { rateAt: () => 10, burst: 100, untilMs: 60_000 },
      [
        '0: 100, 150.00 100.00',
        '1000: 10, 15.00 10.00',
        '2174: 11, 14.05 10.00',
        '3465: 13, 11.98 10.00',
        '5300: 18, 9.20 10.00',
        '14989: 97, 9.61 10.00',
        '34899: 199, 9.59 10.00',
        '55086: 202, 9.61 10.00',
      ],
    ],
    [
      'of 0.3 a second, 4 at once',
      { rateAt: () => 0.3, burst: 4, untilMs: 60_000 },
      [
        '0: 4, 1.50 4.00',
        '4000: 1, 0.50 1.00',
        '8867: 1, 0.75 1.00',
        '12111: 1, 0.75 1.00',
        '15356: 1, 0.75 1.00',
        '18600: 1, 0.75 1.00',
        '21844: 1, 0.75 1.00',
        '25089: 1, 0.75 1.00',
        '28333: 1, 0.75 1.00',
        '31578: 1, 0.75 1.00',
        '34822: 1, 0.75 1.00',
        '38067: 1, 0.75 1.00',
        '41311: 1, 0.50 1.00',
        '46178: 1, 1.50 1.00',
        '47800: 1, 0.50 1.00',
        '52667: 1, 1.50 1.00',
        '54289: 1, 0.50 1.00',
        '59156: 1, 1.50 1.00',
      ],
    ],
    [
      'that falls from 20 a second to 2 for half a minute',
      { rateAt: (now) => (now > 30_000 && now < 60_000 ? 2 : 20), burst: 10, untilMs: 120_000 },
      [
        '0: 10, 15.00 10.00',
        '1496: 19, 18.57 10.00',
        '10542: 170, 19.09 10.00',
        '30013: 377, 19.07 10.00',
        '31013: 2, 9.54 5.00',
        '32013: 2, 3.00 2.00',
        '34139: 4, 2.82 2.00',
        '36586: 5, 2.41 2.00',
        '41089: 9, 1.92 2.00',
        '47200: 12, 1.88 2.00',
        '53627: 13, 1.95 2.00',
        '59692: 12, 1.90 2.00',
        '71741: 95, 8.08 2.00',
        '91739: 233, 11.67 2.00',
        '109005: 245, 14.34 2.00',
      ],
    ],
    [
      'of 20 a second, 10 at once, asked for 40 at a time',
      { rateAt: () => 20, burst: 10, rounds: { calls: 40, restMs: 5000 }, untilMs: 120_000 },
      [
        '0: 10, 15.00 10.00',
        '1496: 19, 18.57 10.00',
        '34398: 187, 17.11 10.00',
        '62877: 180, 18.61 10.00',
        '109310: 263, 17.88 10.00',
      ],
    ],
    [
      'of 5 a second, 8 at once, asked for 30 at a time with hardly a rest',
      { rateAt: () => 5, burst: 8, rounds: { calls: 30, restMs: 900 }, untilMs: 120_000 },
      [
        '0: 8, 12.00 8.00',
        '1000: 5, 7.50 5.00',
        '2349: 6, 6.67 5.00',
        '4947: 13, 5.69 5.00',
        '8580: 18, 4.74 5.00',
        '20370: 59, 4.80 5.00',
        '45418: 124, 4.75 5.00',
        '72011: 127, 4.74 5.00',
        '97576: 126, 4.73 5.00',
      ],
    ],
    [
      'of 50 a second, 3 at once, asked for 7 at a time',
      { rateAt: () => 50, burst: 3, rounds: { calls: 7, restMs: 2000 }, untilMs: 60_000 },
      [
        '0: 3, Infinity Infinity',
        '3000: 6, Infinity Infinity',
        '6000: 6, 4.50 3.00',
        '23400: 50, 40.26 2.81',
        '41237: 55, 39.29 1.41',
        '46410: 13, 69.70 1.41',
        '53633: 20, 59.68 1.41',
      ],
    ],
    [
      'that falls from 2 a second to 0.2 for half a minute, asked for 5 at a time with hardly a rest',
      {
        rateAt: (now) => (now > 10_000 && now < 40_000 ? 0.2 : 2),
        burst: 20,
        rounds: { calls: 5, restMs: 1001 },
        untilMs: 80_000,
      },
      [
        '6006: 32, Infinity Infinity',
        '8007: 4, Infinity Infinity',
        '10008: 2, 0.60 1.60',
        '15564: 1, 2.88 1.00',
        '19911: 1, 2.88 1.00',
        '26260: 1, 2.88 1.00',
        '29607: 1, 2.88 1.00',
        '35608: 1, 2.88 1.00',
        '39956: 1, 2.88 1.00',
        '70722: 61, 3.25 1.00',
        '80147: 19, 3.26 1.00',
      ],
    ],
    [
      'that rises from 20 a second to 60 for half a minute, 100 at once',
      { rateAt: (now) => (now > 30_000 && now < 60_000 ? 60 : 20), burst: 100, untilMs: 80_000 },
      [
        '0: 100, 150.00 100.00',
        '1000: 20, 30.00 20.00',
        '2087: 21, 28.97 20.00',
        '3228: 23, 24.71 20.00',
        '4592: 27, 18.45 20.00',
        '13995: 188, 19.19 20.00',
        '52784: 1337, 75.22 20.00',
        '56536: 225, 71.52 20.00',
        '60263: 213, 67.95 20.00',
        '61307: 21, 67.95 18.00',
        '62395: 22, 43.49 18.00',
        '63556: 23, 29.82 18.00',
        '64958: 28, 23.86 18.00',
        '66964: 40, 21.00 18.00',
        '71815: 97, 19.70 18.00',
      ],
    ],
    [
      'that falls from 10 a second to 3 for half a minute, asked for 12 at a time with a rest of a second',
      {
        rateAt: (now) => (now > 20_000 && now < 50_000 ? 3 : 10),
        burst: 50,
        rounds: { calls: 12, restMs: 1000 },
        untilMs: 80_000,
      },
      [
        '20000: 250, 16.50 11.00',
        '22000: 6, 20.16 3.00',
        '23099: 3, 10.08 1.50',
        '25545: 7, 11.52 1.50',
        '26892: 4, 5.77 1.00',
        '29852: 9, 8.97 1.00',
        '32617: 8, 3.81 1.00',
        '37973: 16, 3.31 1.00',
        '44946: 21, 3.21 1.00',
        '76174: 278, 12.26 1.00',
      ],
    ],
    [
      'that rises from 200 a second to 600 for half a minute, asked for 7 at a time',
      {
        rateAt: (now) => (now > 30_000 && now < 60_000 ? 600 : 200),
        burst: 5,
        rounds: { calls: 7, restMs: 2000 },
        untilMs: 80_000,
      },
      ['0: 5, 7.50 5.00', '38437: 126, 35.89 5.00', '61724: 75, 7.48 5.00'],
    ],
  ])('%s', (_, server, refusals) => {
    expect(play(server).refusals).toEqual(refusals)
  })
})

describe('R67 what the learnt pace makes of passes that all came at once', () => {
  it.each([
    ['more than the burst say nothing of the rate', 30, '19.09 10.00'],
    ['so many that it may be rounding lower the burst', 8, '19.09 8.00'],
    ['fewer say that the limit has fallen', 7, '9.55 5.00'],
  ])('%s', (_, passes, expected) => {
    const { pace, now } = play({ rateAt: () => 20, burst: 10, untilMs: 11_000 })
    const at = now + 60_000
    for (let pass = 0; pass < passes; pass++) {
      pace.sent(at)
      pace.passed(at)
    }
    pace.sent(at)
    pace.refused(at, at + 1000)
    const { ratePerSecond, burst } = pace.estimate!
    expect(`${ratePerSecond.toFixed(2)} ${burst.toFixed(2)}`).toBe(expected)
  })
})
