import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { commitGroup, packedReport, type PackedReport, type PackedTransactions, unpacker } from './commit-group.ts'
import { isUnavailable, prepared, WRITER_SETTINGS } from './connection.ts'

/**
 * Messages to the writer thread: transactions to commit, the schema to be held to from now on, the orders to empty the log
 * and to close.
 */
export type ToWriter = PackedTransactions | { fence: number } | 'empty log' | 'close'

/**
 * Messages from the writer thread: that the file is open, reports on the oldest unreported transactions, in order, or
 * whether the log was emptied.
 */
export type FromWriter = 'open' | readonly PackedReport[] | { isLogEmpty: boolean }

const BUSY_MS = 5_000
/** For emptying the log, which can be done later as well: no write waits for a long read. */
const BUSY_FOR_LOG_MS = 20

// The body of a worker thread, started by `open-sqlite.ts`.
if (parentPort === null) throw new Error('The writer runs in a thread of its own.')
const port = parentPort
const database = new DatabaseSync(String(workerData), { timeout: BUSY_MS })
database.exec(WRITER_SETTINGS)
const connection = prepared(database)
const unpack = unpacker()
let schema: number | null = null

port.on('message', (first: ToWriter) => {
  const messages = [first, ...queuedMessages()]
  const transactions = messages.flatMap((message) => {
    if (message === 'close' || message === 'empty log') return []
    if (!('fence' in message)) return unpack(message)
    schema = message.fence
    return []
  })
  if (transactions.length > 0) send(commitGroup(connection, transactions, schema).map(packedReport))
  for (const _ of messages.filter((message) => message === 'empty log')) send({ isLogEmpty: emptyLog() })
  if (messages.includes('close')) {
    database.close()
    port.close()
  }
})
send('open')

/** Messages that arrived while the last group was committed form the next group. */
function queuedMessages(): readonly ToWriter[] {
  const queued: ToWriter[] = []
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    queued.push(next.message)
  }
  return queued
}

/** Moves the log into the file and cuts it to nothing, unless another connection is reading from it. */
function emptyLog(): boolean {
  database.exec(`PRAGMA busy_timeout = ${BUSY_FOR_LOG_MS}`)
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return false
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
}

function send(message: FromWriter): void {
  port.postMessage(message)
}
