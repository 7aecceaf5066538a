import { debounce } from 'lull/core'

globalThis.debounced = debounce(() => undefined, 100)
