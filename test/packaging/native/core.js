import {
  batch,
  createConcurrencyLimiter,
  createLimiter,
  createQueue,
  debounce,
  debounceAsync,
  throttleFrame,
  tokenBucket,
} from 'lull/core'

globalThis.core = {
  batch,
  createConcurrencyLimiter,
  createLimiter,
  createQueue,
  debounce,
  debounceAsync,
  throttleFrame,
  tokenBucket,
}
