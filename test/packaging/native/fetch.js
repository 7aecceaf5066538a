import * as lullFetch from 'lull/fetch'

globalThis.lullFetch = lullFetch
