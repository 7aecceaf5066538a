import { parseRetryAfter, readRateLimit, untilBodyRead } from 'lull/fetch'

globalThis.lullFetch = { parseRetryAfter, readRateLimit, untilBodyRead }
