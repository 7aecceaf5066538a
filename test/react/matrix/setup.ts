import { injectIntoGlobalHook } from 'react-refresh/runtime'

// Set before React DOM loads, which reads it then; files share the first loaded copy.
if (!('__REACT_DEVTOOLS_GLOBAL_HOOK__' in globalThis)) injectIntoGlobalHook(globalThis)
