import { DatabaseSync } from 'node:sqlite'

// Loaded before the platform, in every thread: its database then reports commits that are not on disk yet.
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function execRelaxed(sql) {
  return exec.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'))
}
