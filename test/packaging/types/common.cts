// CommonJS, which may require ESM where Node can: `nodenext` knows that.
import { debounce } from 'lull/core'

export const soon = debounce(() => undefined, 10)
