import { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/**
 * `kill -9` of the process itself, just before it runs a statement: the `nth` of those whose text `match` fits, counted in
 * the thread that runs them. Loaded before a program; `DIE_AT` holds it as JSON.
 */
export interface DeathAt {
  match: string
  nth: number
  /** `writer`: the thread that writes to an embedded database. */
  thread: 'main' | 'writer'
}

const { match, nth, thread }: DeathAt = JSON.parse(process.env['DIE_AT'] ?? '{"match":"$^","nth":1,"thread":"main"}')
const form = new RegExp(match)
let seen = 0

function about(sql: string): void {
  if (form.test(sql.trim())) die()
}

function die(): void {
  if ((thread === 'main') !== isMainThread) return
  seen += 1
  if (seen === nth) process.kill(process.pid, 'SIGKILL')
}

const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function execOrDie(this: DatabaseSync, sql: string) {
  about(sql)
  return exec.call(this, sql)
}
for (const name of ['run', 'all', 'get', 'iterate'] as const) {
  const original = StatementSync.prototype[name]
  Object.assign(StatementSync.prototype, {
    [name](this: StatementSync, ...params: Parameters<typeof original>) {
      about(this.sourceSQL)
      return Reflect.apply(original, this, params)
    },
  })
}

// Traffic to PostgreSQL: a statement that a connection has prepared is not sent again, and so is seen once.
const { write } = Socket.prototype
Object.assign(Socket.prototype, {
  write(this: Socket, ...sent: Parameters<typeof write>) {
    const [bytes] = sent
    if (Buffer.isBuffer(bytes) && form.test(bytes.toString('latin1'))) die()
    return Reflect.apply(write, this, sent)
  },
})
