export { createListeners as createWatchers, type Listeners as Watchers } from './store.ts'
