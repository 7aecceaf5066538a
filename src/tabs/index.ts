export { shareBetweenTabs, type ShareBetweenTabsOptions } from './share-between-tabs.ts'
