export { startFolding } from './fold.ts'
export { statistics } from './statistics.ts'
