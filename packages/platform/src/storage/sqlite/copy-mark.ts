import { randomInt } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { OperatorError } from '../../runtime/index.ts'
import { isUnavailable } from './connection.ts'
import { unusable } from './unusable-file.ts'

/** Thrown when a database file was copied without the log that the newest transactions are in. */
export class IncompleteCopy extends OperatorError {
  override readonly name = 'IncompleteCopy'
}

const OWNER_ALONE = 0o600
/** SQLite's `user_version` is a signed number of 32 bits; 0 says that the file was closed cleanly. */
const MARKS = 2 ** 31 - 1

const besideOf = (file: string) => ({ run: `${file}.run`, log: `${file}-wal` })

/**
 * Refuses a file that was copied while a platform was writing to it, without its log.
 *
 * While a platform has a file open, a random mark stands in it, and in a small file next to it. A mark without its
 * neighbour is a copy. It is complete if it came with its log; a log next to another file's mark belongs to that one.
 * After a crash in its own place the two agree, whether or not something else has emptied the log since.
 *
 * @throws {IncompleteCopy} {DatabaseUnavailable}
 */
export function refuseIncompleteCopy(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  const mark = markIn(file)
  if (mark === 0) return
  const { run, log } = besideOf(file)
  const neighbour = existsSync(run) ? readFileSync(run, 'utf8').trim() : null
  if (neighbour === String(mark)) return
  const hasLog = existsSync(log) && statSync(log).size > 0
  if (hasLog && neighbour === null) return
  const what = hasLog
    ? `${log} does not belong to it`
    : `${log}, which holds the newest transactions, was not copied with it`
  throw new IncompleteCopy(
    `${file} is a copy that was made while a platform was running, and ${what}: payments that were confirmed are missing. ` +
      'Restore a backup ("tillwright backup", "tillwright restore"), or bring the log back. ' +
      'To start on what there is, set TILLWRIGHT_ACCEPT_INCOMPLETE_COPY=yes once.',
  )
}

/** Reads the mark of the file itself, whatever its log says. */
function markIn(file: string): number {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true })
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  } catch (error) {
    throw unusable(file, error)
  } finally {
    database.close()
  }
}

/** Marks a file as open. Its log has to be there already. */
export function markOpen(file: string): void {
  const mark = randomInt(1, MARKS)
  unlessFull(() => {
    const handle = openSync(besideOf(file).run, 'w', OWNER_ALONE)
    try {
      writeSync(handle, `${mark}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    setMark(file, mark, 'PRAGMA wal_checkpoint(TRUNCATE)')
  })
}

/** Marks a file as closed cleanly, before its last connection moves the log into it. */
export function markClosed(file: string): void {
  unlessFull(() => {
    setMark(file, 0, '')
    rmSync(besideOf(file).run, { force: true })
  })
}

function setMark(file: string, mark: number, then: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    database.exec(`PRAGMA synchronous = FULL; PRAGMA user_version = ${mark}; ${then}`)
  } finally {
    database.close()
  }
}

/** A full disk does not prevent reads; the mark stays as it was. */
function unlessFull(work: () => void): void {
  try {
    work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (!isUnavailable(error) && code !== 'ENOSPC' && code !== 'EDQUOT') throw error
  }
}
