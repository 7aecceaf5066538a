import * as core from 'lull/core'

globalThis.core = core
