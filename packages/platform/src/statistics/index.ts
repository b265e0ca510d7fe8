export { startFolding } from './fold.ts'
export { pruneEvents } from './prune-events.ts'
export { statistics } from './statistics.ts'
