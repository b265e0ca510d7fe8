export { readWhenWritten } from './file-stamp.ts'
export { watchFolder, type Batch } from './watcher.ts'
