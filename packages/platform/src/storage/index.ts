export { type Blobs, BlobsUnavailable, closedBlobs, fileBlobs, openBlobs, type Received } from './blobs/index.ts'
export {
  type Database,
  DatabaseUnavailable,
  insist,
  type Query,
  type Row,
  type Statement,
  type Value,
  staleReads,
} from './database.ts'
export {
  among,
  type Column,
  defineTable,
  flag,
  int,
  json,
  nullable,
  oneOf,
  pick,
  rawJson,
  readByIds,
  type RowOf,
  rowReader,
  text,
} from './define-table.ts'
export { DELETED_MAX, deleteSome } from './delete-some.ts'
export { followSchema, type SchemaLog, workOnSchema } from './follow-schema.ts'
export { lastBackup, noteBackup, noteProof } from './last-backup.ts'
export { createTables, migrate } from './migrate.ts'
export { DatabaseEmpty, type Migration, schemaOf } from './migration.ts'
export { migrations } from './migrations.ts'
export {
  type DatabasePlace,
  openAsItIs,
  openDatabase,
  openDatabaseBeside,
  openOrCreateDatabaseBeside,
  placeOf,
} from './open-database.ts'
export { schemaStatus, type SchemaStatus } from './schema-status.ts'
export { type StorageConfig, storageSettings, storageVariables, takeHome } from './settings.ts'
export type { DescribedTable, Snapshot } from './snapshot.ts'
export { databaseBeside, fillDatabase, openSnapshot, refuseIncomplete, refuseUsed } from './whole-database.ts'
export { observedDatabase } from './observed-database.ts'
export {
  type KeyColumn,
  newestFirst,
  type ListPage,
  type Position,
  positionOf,
  readCursor,
  readPage,
  readRows,
  writeCursor,
} from './paging.ts'
export {
  emptied,
  type ImpersonalTable,
  kept,
  type OpenSealed,
  type PersonalTable,
  removed,
  replaced,
  replacedJson,
  secretly,
  zeroed,
} from './personal-data.ts'
export { readDatabaseUrl } from './postgres/database-url.ts'
export { type Pooler, poolerOf } from './postgres/pooler.ts'
