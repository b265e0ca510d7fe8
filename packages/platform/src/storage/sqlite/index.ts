export { openSqlite, openSqliteBeside } from './open-sqlite.ts'
