import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError, startThread } from '../../runtime/index.ts'
import {
  type Database,
  DatabaseFenced,
  DatabaseUnavailable,
  type PoolLoad,
  type Transaction,
  type WriteOutcome,
} from '../database.ts'
import { packer, type Report, unpackedReport } from './commit-group.ts'
import { markClosed, markOpen, refuseIncompleteCopy } from './copy-mark.ts'
import { hasPrimaryCode, isUnavailable, SQLITE_BUSY } from './connection.ts'
import { readsOfTurn } from './reader.ts'
import { openSchemaConnection } from './schema-connection.ts'
import { unusable } from './unusable-file.ts'
import type { FromWriter, ToWriter } from './writer.ts'

const OWNER_ALONE = 0o600

/**
 * Opens the embedded engine: one file, one writer thread, and a second connection that reads on the caller's thread (a
 * read by key takes microseconds, less than a message to another thread).
 *
 * @param options `file`: the database file, created if missing; its folder must exist.
 * @throws {DatabaseInUse} If another platform has the file open, in this process or another.
 * @throws {IncompleteCopy} If the file was copied without its log, unless `acceptIncompleteCopy`.
 * @throws {DatabaseUnavailable} {DiskFull} If SQLite cannot open it.
 */
export async function openSqlite(options: { file: string; acceptIncompleteCopy?: boolean }): Promise<Database> {
  const { file, acceptIncompleteCopy = false } = options
  const unlock = lockFile(file)
  try {
    if (!acceptIncompleteCopy) refuseIncompleteCopy(file)
    return await openFile(file, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens the same file for a command, whether or not a platform is running: the lock excludes other platforms, not other
 * connections. SQLite allows one writer at a time; others wait.
 */
export function openSqliteBeside({ file }: { file: string }): Promise<Database> {
  return openFile(file, null)
}

async function openFile(file: string, unlock: (() => void) | null): Promise<Database> {
  createForOwner(file)
  try {
    const writer = await startWriter(file)
    if (unlock !== null) markOpen(file)
    return database(file, writer, { readOnly: new DatabaseSync(file, { readOnly: true, timeout: 1_000 }), unlock })
  } catch (error) {
    throw unusable(file, error)
  }
}

/**
 * SQLite would create the file readable by everyone. An existing file must not even be opened and closed: that would
 * release the locks of every other connection that this process has to it (POSIX, `fcntl`).
 */
function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ALONE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function database(
  file: string,
  writer: Writer,
  { readOnly, unlock }: { readOnly: DatabaseSync; unlock: (() => void) | null },
): Database {
  const reader = readsOfTurn(readOnly)
  writer.onReport(reader.renew)
  const isOwner = unlock !== null
  let closed: Promise<void> | null = null
  async function close(): Promise<void> {
    readOnly.close() // before the writer: the last connection to close checkpoints the log
    if (isOwner) markClosed(file)
    await writer.close()
    unlock?.()
  }
  return {
    engine: 'sqlite',
    async read(sql, params) {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      try {
        return reader.rows(sql, params)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        throw new DatabaseUnavailable('The database file cannot be read.', { cause: error })
      }
    },
    async write(transaction) {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      return writer.write(transaction)
    },
    // Reads are done where they are asked for, and never wait.
    load: () => [writer.load()],
    schema: {
      connect: async () => openSchemaConnection(file),
      isAlone: () => isOwner || isUnlocked(file),
      fence: (schema) => writer.fence(schema),
    },
    async emptyLog() {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      reader.renew()
      return writer.emptyLog()
    },
    close: () => (closed ??= close()),
  }
}

/** Thrown when another platform, in this process or another, has the database open. */
export class DatabaseInUse extends OperatorError {
  override readonly name = 'DatabaseInUse'
}

/**
 * Gives this process exclusive use of a database file until it releases the lock or dies.
 *
 * The lock is an exclusive transaction on an empty SQLite file, `<file>.lock`: it belongs to the process, so nothing
 * needs cleaning up after a kill. The file itself stays and means nothing unless locked.
 *
 * @returns Releases the lock.
 * @throws {DatabaseInUse}
 */
function lockFile(file: string): () => void {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!hasPrimaryCode(error, [SQLITE_BUSY])) throw unusable(file, error)
    const remedy = 'Stop it, or give this one a folder of its own.'
    throw new DatabaseInUse(`${file} is in use by another platform. ${remedy}`, { cause: error })
  }
  return () => lock.close()
}

/** Whether no platform has a file open. */
function isUnlocked(file: string): boolean {
  try {
    lockFile(file)()
    return true
  } catch (error) {
    if (error instanceof DatabaseInUse) return false
    throw error
  }
}

/** The main thread's handle of the writer thread. */
interface Writer {
  /** Calls back before anybody is told what was committed. */
  onReport(report: () => void): void
  write(transaction: Transaction): Promise<WriteOutcome>
  load(): PoolLoad
  /** Refuses transactions that follow once the schema is newer than this. */
  fence(schema: number): void
  /** Empties the log after everything written before is committed; `false` while a reader uses it. */
  emptyLog(): Promise<boolean>
  /** Commits everything written before, then closes the file and ends the thread. */
  close(): Promise<void>
}

interface Waiting {
  resolve(outcome: WriteOutcome): void
  reject(error: Error): void
}

/**
 * Starts the only thread that writes to a database file, and creates the file.
 *
 * @throws If the file cannot be opened.
 */
async function startWriter(file: string): Promise<Writer> {
  const worker = startThread(new URL('./writer', import.meta.url), { environment: 'kept', workerData: file })
  await once(worker, 'message') // the first message means that the file is open; `once` rejects on 'error'
  const waiting: Waiting[] = []
  const emptying: PromiseWithResolvers<boolean>[] = []
  const box = outbox(post)
  let death: DatabaseUnavailable | null = null
  let beforeReports = (): void => undefined
  worker.on('message', (reports: Exclude<FromWriter, 'open'>) => {
    if ('isLogEmpty' in reports) return emptying.shift()?.resolve(reports.isLogEmpty)
    beforeReports()
    const settled = waiting.splice(0, reports.length)
    box.reported(reports.length)
    for (const [i, report] of reports.entries()) settle(settled[i], unpackedReport(report))
  })
  worker.on('error', (error) => {
    death = new DatabaseUnavailable('The thread that writes has died; start the platform again.', { cause: error })
    for (const { reject } of [...waiting.splice(0), ...emptying.splice(0)]) reject(death)
  })
  function post(message: ToWriter): void {
    worker.postMessage(message)
  }
  return {
    onReport(report) {
      beforeReports = report
    },
    write(transaction) {
      if (death !== null) return Promise.reject(death)
      box.add(transaction)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    load: () => ({
      pool: 'writes',
      connections: 1,
      used: Math.min(waiting.length, 1),
      waiting: Math.max(waiting.length - 1, 0),
    }),
    fence(schema) {
      box.empty()
      post({ fence: schema })
    },
    emptyLog() {
      if (death !== null) return Promise.reject(death)
      box.empty()
      post('empty log')
      const answer = Promise.withResolvers<boolean>()
      emptying.push(answer)
      return answer.promise
    },
    async close() {
      if (death !== null) return
      const exited = once(worker, 'exit')
      box.empty()
      post('close')
      await exited
    },
  }
}

/** Transactions on their way to the writer. */
interface Outbox {
  add(transaction: Transaction): void
  /** To be told of so many that the writer has reported on. */
  reported(transactions: number): void
  /** Posts all at once, before a message that must come behind them. */
  empty(): void
}

/** One message is being committed and the next one is there: what comes meanwhile is worth none of its own. */
const POSTED_MAX = 2

function outbox(post: (message: ToWriter) => void): Outbox {
  const pack = packer()
  /** The sizes of the messages that are not reported on. */
  const posted: number[] = []
  let gathered: Transaction[] = []
  function empty(): void {
    if (gathered.length === 0) return
    posted.push(gathered.length)
    post(pack(gathered))
    gathered = []
  }
  function postIfAwaited(): void {
    if (posted.length < POSTED_MAX) empty()
  }
  return {
    add(transaction) {
      // Node runs immediates after all input of a turn: requests that arrived together are sent as one message.
      if (gathered.length === 0) setImmediate(postIfAwaited)
      gathered.push(transaction)
    },
    reported(transactions) {
      for (let left = transactions; left > 0;) left -= posted.shift() ?? left
      if (gathered.length > 0) setImmediate(postIfAwaited)
    },
    empty,
  }
}

function settle(waiting: Waiting | undefined, report: Report): void {
  switch (report.outcome) {
    case 'committed':
    case 'refused':
      return waiting?.resolve(report)
    case 'mistaken':
      return waiting?.reject(new Error(report.message))
    case 'fenced':
      return waiting?.reject(new DatabaseFenced(report.schema))
    case 'unavailable':
      return waiting?.reject(new DatabaseUnavailable(report.message))
  }
}
