import { injectIntoGlobalHook } from 'react-refresh/runtime'

// Before React DOM is loaded, which looks for it then; files share the one that is loaded first.
if (!('__REACT_DEVTOOLS_GLOBAL_HOOK__' in globalThis)) injectIntoGlobalHook(globalThis)
