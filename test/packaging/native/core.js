import {
  batch,
  createConcurrencyLimiter,
  createWaitingLimiter,
  createQueue,
  debounce,
  debounceAsync,
  throttleFrame,
  tokenBucket,
} from 'lull/core'

globalThis.core = {
  batch,
  createConcurrencyLimiter,
  createWaitingLimiter,
  createQueue,
  debounce,
  debounceAsync,
  throttleFrame,
  tokenBucket,
}
