import type { WaitSource } from 'lull/fetch'

/** Fields of a throttled response, and what they are read as. */
export interface RateLimitRow {
  row: string
  /** What the row shows, as a sentence. */
  shows: string
  /** Name and value of each line. */
  lines: readonly (readonly [string, string])[]
  /** The wait in ms by the newest draft and RFC 9110 alone; undefined: none is asked for. */
  strict: number | undefined
  /** The wait with the names that are to come, those that were, and what is not strict. */
  recommended: number | undefined
  source: WaitSource
  /** What is left of each limit: `name available/windowMs`, with a `?` for what is not said. */
  limits: string
  /** Likewise `name quota/windowMs`. */
  policies: string
}

type Answer = number | undefined
type Rest = Partial<Pick<RateLimitRow, 'limits' | 'policies' | 'source'>>

const rowOf = (
  row: string,
  shows: string,
  lines: RateLimitRow['lines'],
  [strict, recommended]: readonly [Answer, Answer],
  rest: Rest,
): RateLimitRow => ({
  row,
  shows,
  lines,
  strict,
  recommended,
  source: 'none',
  limits: '',
  policies: '',
  ...rest,
})

/** A `RateLimit` that is read alike either way. */
const same = (row: number, shows: string, value: string, wait: Answer, limits: string): RateLimitRow =>
  rowOf(`C${String(row)}`, shows, [['RateLimit', value]], [wait, wait], {
    limits,
    source: wait === undefined ? 'backoff' : 'ratelimit',
  })

/** A `RateLimit` that says nothing. */
const nothing = (row: number, shows: string, value: string): RateLimitRow =>
  rowOf(`C${String(row)}`, shows, [['RateLimit', value]], [undefined, undefined], {})

/** A `RateLimit-Policy`, which asks for no wait. */
const policy = (row: number, shows: string, value: string, policies: string): RateLimitRow =>
  rowOf(`C${String(row)}`, shows, [['RateLimit-Policy', value]], [undefined, undefined], {
    policies,
    source: policies ? 'backoff' : 'none',
  })

/** An older field, which the newest draft does not know. */
const legacy = (row: number, shows: string, name: string, value: string, wait: Answer): RateLimitRow =>
  rowOf(`C${String(row)}`, shows, [[name, value]], [undefined, wait], {
    ...(wait !== undefined && {
      limits: `default ?/${String(wait)}`,
      source: name.startsWith('X') ? 'x-ratelimit' : 'ratelimit-legacy',
    }),
  })

const exact = (row: string, shows: string, value: string, wait: Answer): RateLimitRow =>
  rowOf(row, shows, [['retry-after-ms', value]], [undefined, wait], {
    source: wait === undefined ? 'backoff' : 'retry-after-ms',
  })

/** Table C of the fetch reference: what the fields on rate limits may hold, alone and together. */
export const rateLimitTable: readonly RateLimitRow[] = [
  same(1, 'what is left is no wait', '"default";r=50;t=30', undefined, 'default 50/30000'),
  same(2, 'nothing left is a wait for the window', '"default";r=0;t=30', 30_000, 'default 0/30000'),
  same(
    3,
    'only those with nothing left are waited for',
    '"burst";r=0;t=5, "daily";r=100;t=36000',
    5000,
    'burst 0/5000, daily 100/36000000',
  ),
  same(
    4,
    'of several the longest is waited for',
    '"burst";r=0;t=5, "daily";r=0;t=36000',
    36_000_000,
    'burst 0/5000, daily 0/36000000',
  ),
  same(5, 'a name may be a Token', 'default;r=0;t=30', 30_000, 'default 0/30000'),
  rowOf('C6', 'the coming names are a leniency', [['RateLimit', '"default";a=0;w=30']], [undefined, 30_000], {
    limits: 'default 0/30000',
    source: 'ratelimit',
  }),
  rowOf(
    'C7',
    'the coming names may have a cost with them, which changes nothing',
    [['RateLimit', 'default;a=0;w=30;c=5']],
    [undefined, 30_000],
    { limits: 'default 0/30000', source: 'ratelimit' },
  ),
  same(8, 'spaces after a semicolon do not count', '"default"; r=0;  t=30', 30_000, 'default 0/30000'),
  nothing(9, 'a space before a semicolon is malformed', '"default" ;r=0;t=30'),
  nothing(10, 'a comma at the end is malformed', '"default";r=0;t=30,'),
  nothing(11, 'a parameter in upper case is malformed', '"default";R=0;T=30'),
  nothing(12, 'a window below 0 is malformed', '"default";r=0;t=-1'),
  nothing(13, 'a quota below 0 is malformed', '"default";r=-1;t=30'),
  same(14, 'a quota of -0 is 0', '"d";r=-0;t=30', 30_000, 'd 0/30000'),
  nothing(15, 'a window with a fraction is malformed', '"default";r=0;t=1.5'),
  nothing(16, 'a window with a point is malformed', '"d";r=0;t=30.0'),
  nothing(17, 'a window in quotes is malformed', '"default";r=0;t="30"'),
  nothing(18, 'a quota in quotes is malformed', '"default";r="0";t=30'),
  nothing(19, 'a window without a quota is malformed', '"default";t=30'),
  same(20, 'nothing left without a window names no time', '"default";r=0', undefined, 'default 0/?'),
  nothing(21, 'a quota without a value is malformed', '"default";r;t=30'),
  same(22, 'of a parameter given twice the last counts', '"default";r=5;t=30;r=0', 30_000, 'default 0/30000'),
  same(
    23,
    'other parameters are passed over',
    '"default";r=0;t=30;acme-x=?1;foo=bar',
    30_000,
    'default 0/30000',
  ),
  same(
    24,
    'a quota of 15 digits is read',
    '"default";r=999999999999999;t=30',
    undefined,
    'default 999999999999999/30000',
  ),
  nothing(25, 'a quota of 16 digits is malformed', '"default";r=1000000000000000;t=30'),
  same(
    26,
    'a window of 15 digits is read',
    '"default";r=0;t=999999999999999',
    999_999_999_999_999_000,
    'default 0/999999999999999000',
  ),
  nothing(27, 'no member is no information', ''),
  same(28, 'a partition changes nothing', '"default";r=0;t=30;pk=:cHsdsRa894==:', 30_000, 'default 0/30000'),
  nothing(29, 'a partition in quotes is malformed', '"default";r=0;t=30;pk="abc"'),
  nothing(30, 'an Inner List is no limit', '("a" "b");r=0;t=30'),
  rowOf(
    'C31',
    'the Dictionary of draft 07 is a leniency',
    [['RateLimit', 'limit=100, remaining=0, reset=5']],
    [undefined, 5000],
    { limits: 'default 0/5000', source: 'ratelimit-legacy' },
  ),
  same(
    32,
    'of a name given twice the smaller quota and the longer window count',
    '"a";r=0;t=5, "a";r=9;t=60',
    60_000,
    'a 0/60000',
  ),
  nothing(33, 'a number is no name', '42;r=0;t=30'),
  same(34, 'a window of 0 is no wait', '"d";r=0;t=0', 0, 'd 0/0'),
  rowOf(
    'C35',
    'several lines are one list',
    [
      ['RateLimit', '"a";r=5;t=10'],
      ['RateLimit', '"b";r=0;t=3'],
    ],
    [3000, 3000],
    { limits: 'a 5/10000, b 0/3000', source: 'ratelimit' },
  ),
  same(36, 'leading zeros do not count', '"d";r=0;t=030', 30_000, 'd 0/30000'),
  nothing(37, 'a plus sign is malformed', '"d";r=0;t=+30'),
  nothing(38, 'a letter beyond ASCII is malformed', '"é";r=0;t=30'),
  rowOf(
    'C39',
    'what comes from a cache says nothing',
    [
      ['RateLimit', '"d";r=0;t=30'],
      ['Age', '100'],
    ],
    [undefined, undefined],
    {},
  ),
  policy(
    40,
    'policies are read',
    '"burst";q=100;w=60,"daily";q=1000;w=86400',
    'burst 100/60000, daily 1000/86400000',
  ),
  rowOf(
    'C41',
    'a unit is that of the policy of the name',
    [
      ['RateLimit-Policy', '"bytes";q=65535;qu="content-bytes";w=10'],
      ['RateLimit', '"bytes";r=5;t=10'],
    ],
    [undefined, undefined],
    { limits: 'bytes 5/10000 content-bytes', policies: 'bytes 65535/10000 content-bytes', source: 'backoff' },
  ),
  policy(42, 'a policy has a name', '100;w=60', ''),
  policy(43, 'a policy has no window of 0', '"x";q=10;w=0', ''),
  legacy(44, 'a reset is in seconds', 'RateLimit-Reset', '50', 50_000),
  legacy(45, 'a reset above 10^9 is in seconds since 1970', 'RateLimit-Reset', '1787400050', 50_000),
  legacy(46, 'a reset below 0 is malformed', 'RateLimit-Reset', '-1', undefined),
  legacy(47, 'a reset may be in seconds since 1970', 'X-RateLimit-Reset', '1787400050', 50_000),
  legacy(48, 'a reset may be in milliseconds since 1970', 'X-RateLimit-Reset', '1787400050000', 50_000),
  legacy(49, 'a reset may be in seconds from now', 'X-RateLimit-Reset', '50', 50_000),
  legacy(50, 'a reset that is past is no wait', 'X-RateLimit-Reset', '1700000000', 0),
  legacy(51, 'a reset may have a fraction', 'X-RateLimit-Reset', '1787400050.5', 50_500),
  legacy(52, 'a reset may be a timestamp', 'X-RateLimit-Reset', '2026-08-22T12:00:50Z', 50_000),
  legacy(53, 'a reset may be an HTTP date', 'X-RateLimit-Reset', 'Sat, 22 Aug 2026 12:00:50 GMT', 50_000),
  legacy(54, 'a reset of 0 is no wait', 'X-RateLimit-Reset', '0', 0),
  legacy(55, 'a word is no reset', 'X-RateLimit-Reset', 'abc', undefined),
  legacy(56, 'a reset beyond 2038 is read', 'X-RateLimit-Reset', '2200000000', 412_600_000_000),
  exact('C57a', 'milliseconds are read', '1500', 1500),
  exact('C57b', 'milliseconds below 0 are malformed', '-1', undefined),
  exact('C57c', 'a word is no number of milliseconds', 'abc', undefined),
  rowOf(
    'C58a',
    'seconds count that are much longer than 0 ms',
    [
      ['retry-after-ms', '0'],
      ['Retry-After', '2'],
    ],
    [2000, 2000],
    { source: 'retry-after:delay' },
  ),
  rowOf(
    'C58b',
    'seconds count that are much longer than some ms',
    [
      ['retry-after-ms', '100'],
      ['Retry-After', '30'],
    ],
    [30_000, 30_000],
    { source: 'retry-after:delay' },
  ),
  rowOf(
    'C59',
    'Retry-After goes before what is left',
    [
      ['Retry-After', '20'],
      ['RateLimit', '"dynamic";r=15;t=40'],
    ],
    [20_000, 20_000],
    { limits: 'dynamic 15/40000', source: 'retry-after:delay' },
  ),
  rowOf(
    'C60',
    'a malformed Retry-After leaves the word to a reset',
    [
      ['Retry-After', 'abc'],
      ['RateLimit-Reset', '30'],
    ],
    [undefined, 30_000],
    { limits: 'default ?/30000', source: 'ratelimit-legacy' },
  ),
  rowOf(
    'C61',
    'Retry-After goes before a window',
    [
      ['Retry-After', '5'],
      ['RateLimit', '"d";r=0;t=30'],
    ],
    [5000, 5000],
    { limits: 'd 0/30000', source: 'retry-after:delay' },
  ),
]
