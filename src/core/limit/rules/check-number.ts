export { checkAbove, checkFrom, checkUpTo } from '../../shared/check.ts'
