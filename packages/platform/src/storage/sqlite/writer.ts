import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { commitGroup, type PackedTransactions, type Report, unpacker } from './commit-group.ts'
import { prepared } from './connection.ts'

/** Messages to the writer thread: transactions to commit, the schema to be held to from now on, the order to close. */
export type ToWriter = PackedTransactions | { fence: number } | 'close'

/**
 * Messages from the writer thread: that the file is open, or reports on the oldest unreported transactions, in order.
 */
export type FromWriter = 'open' | readonly Report[]

/**
 * In WAL mode a commit is one append and, with `synchronous = FULL`, one fsync of the log. The log is checkpointed
 * every 32 MB, rarely enough to go unnoticed, and then restarts; a longer log is truncated afterwards.
 */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;
`

// The body of a worker thread, started by `open-sqlite.ts`.
if (parentPort === null) throw new Error('The writer runs in a thread of its own.')
const port = parentPort
const database = new DatabaseSync(String(workerData), { timeout: 5_000 })
database.exec(SETTINGS)
const connection = prepared(database)
const unpack = unpacker()
let schema: number | null = null

port.on('message', (first: ToWriter) => {
  const messages = [first, ...queuedMessages()]
  const transactions = messages.flatMap((message) => {
    if (message === 'close') return []
    if (!('fence' in message)) return unpack(message)
    schema = message.fence
    return []
  })
  if (transactions.length > 0) send(commitGroup(connection, transactions, schema))
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

function send(message: FromWriter): void {
  port.postMessage(message)
}
