import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { commitGroup, type PackedUnits, type Report, unpacker } from './commit-group.ts'
import { prepared } from './connection.ts'

/** To the writer thread: units to be committed, or that there are no more. */
export type ToWriter = PackedUnits | 'close'

/** From the writer thread: that it is open, or the reports of the oldest units not yet reported, in order. */
export type FromWriter = 'open' | readonly Report[]

/**
 * In WAL mode a commit is one append and, with `synchronous = FULL`, one fsync of the log. The log goes back into the
 * file every 32 MB, seldom enough not to be felt, and starts over; after a longer one its file is cut again.
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

// This file is the body of a worker thread, started by `open-sqlite.ts`.
if (parentPort === null) throw new Error('The writer runs in a thread of its own.')
const port = parentPort
const database = new DatabaseSync(String(workerData), { timeout: 5_000 })
database.exec(SETTINGS)
const connection = prepared(database)
const unpack = unpacker()

port.on('message', (first: ToWriter) => {
  const messages = [first, ...queuedMessages()]
  const units = messages.flatMap((message) => (message === 'close' ? [] : unpack(message)))
  if (units.length > 0) send(commitGroup(connection, units))
  if (messages.includes('close')) {
    database.close()
    port.close()
  }
})
send('open')

/** Drains the messages that arrived while the last group was being committed; they form the next group. */
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
