// What a library exports without annotations. Its declarations name all these types, so each has a public name.
import * as hooks from 'lull'
import * as core from 'lull/core'
import * as fetches from 'lull/fetch'
import * as redis from 'lull/redis'
import * as tabs from 'lull/tabs'
import * as testing from 'lull/testing'

export const all = { ...hooks, ...core, ...fetches, ...redis, ...tabs, ...testing }
export const { pageHide, composing } = hooks
export const members = (
  timing: core.DebounceOptions,
  queue: core.QueueOptions,
  limiter: core.WaitingLimiter,
  health: core.LimiterHealthOptions,
  bucket: fetches.BucketContext,
  hooksOfPolicy: fetches.PolicyHooks,
  trigger: hooks.Trigger,
  value: hooks.DebounceValueOptions<string>,
) => ({ ...timing, ...queue, ...limiter, ...health, ...bucket, ...hooksOfPolicy, ...trigger, ...value })
