/** What a trace tells of a platform's promises. */
export interface Promises {
  /** How many answers said that something was created. */
  acknowledged: number
  /** How many writes to the database's log there were, and how many times it was forced to disk. */
  logWrites: number
  logSyncs: number
  /** The lines of the answers that left while the log held writes which no finished sync had covered. */
  tooEarly: string[]
}

/** The system calls to trace: all by which the log is written or synced, or an answer leaves. */
export const TRACED_CALLS = 'write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync'

/**
 * Reads a trace of `strace -f -yy`, in which each line begins with the thread's number. A call that is interrupted by
 * another thread's comes in two lines, `<unfinished ...>` and `resumed>`. strace sees a thread come back from a call
 * before the thread goes on, so whatever it does because of that call stands below it.
 *
 * It is true for requests that come one at a time: of two at once, the later's writes are none of the earlier's.
 */
export function acknowledgedTooEarly(trace: string): Promises {
  const promises: Promises = { acknowledged: 0, logWrites: 0, logSyncs: 0, tooEarly: [] }
  /** By thread: how many writes the sync covers that it is in. */
  const syncing = new Map<string, number>()
  let synced = 0
  for (const line of trace.split('\n')) {
    const [, thread = '', call = '', rest = ''] = /^(\d+) +(?:<\.\.\. )?(\w+)(.*)$/.exec(line) ?? []
    const begins = rest.startsWith('(')
    if (/^(fsync|fdatasync)$/.test(call)) {
      if (begins && onLog(rest)) syncing.set(thread, promises.logWrites)
      const covered = syncing.get(thread)
      if (covered === undefined || rest.endsWith('<unfinished ...>')) continue
      syncing.delete(thread)
      if (!rest.endsWith(' = 0')) continue
      synced = Math.max(synced, covered)
      promises.logSyncs++
    } else if (begins && onLog(rest)) {
      promises.logWrites++
    } else if (begins && rest.includes('"HTTP/1.1 201 ')) {
      promises.acknowledged++
      if (synced < promises.logWrites) promises.tooEarly.push(line)
    }
  }
  return promises
}

/** Whether a call's first argument is SQLite's write-ahead log. */
function onLog(rest: string): boolean {
  return /^\(\d+<[^>]*-wal>/.test(rest)
}
