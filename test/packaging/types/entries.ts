// Every entry, so that the compiler reads all declarations: none is skipped.
export * as hooks from 'lull'
export * as core from 'lull/core'
export * as fetch from 'lull/fetch'
export * as redis from 'lull/redis'
export * as tabs from 'lull/tabs'
export * as testing from 'lull/testing'
