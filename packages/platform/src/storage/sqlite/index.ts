export { refuseIncompleteCopy } from './copy-mark.ts'
export { openSqlite, openSqliteBeside } from './open-sqlite.ts'
