export { type Blobs, BlobsUnavailable, openBlobs, readBlobsUrl, type Received, type S3Place } from './blobs/index.ts'
export {
  type Database,
  DatabaseUnavailable,
  insist,
  type Query,
  type Row,
  type Statement,
  type Value,
} from './database.ts'
export {
  type Column,
  defineTable,
  flag,
  int,
  json,
  nullable,
  oneOf,
  pick,
  rawJson,
  type RowOf,
  rowReader,
  text,
} from './define-table.ts'
export { createTables, DatabaseEmpty } from './migrate.ts'
export { type DatabasePlace, openDatabase, openDatabaseBeside, openOrCreateDatabaseBeside } from './open-database.ts'
export { newestFirst, type ListPage, readPage, readRows } from './paging.ts'
