/** Evidence in a trace of whether a platform syncs its log before it acknowledges. */
export interface Promises {
  /** How many answers said that something was created. */
  acknowledged: number
  /** How often SQLite's log was forced to disk. */
  syncs: number
  /** Of those answers: they left while the log held a write that no finished sync covered. True of requests one at a time. */
  beforeOwnWrites: string[]
  /** They left although no sync had begun and finished since their request was read. True of requests together, too. */
  withoutSync: string[]
}

/** The system calls to trace: all by which a request comes in, the log is written or synced, or an answer leaves. */
export const TRACED_CALLS = 'read,recvfrom,write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync'

/** Where a trace has come to. Writes and syncs of the log are numbered as they begin. */
interface Progress extends Promises {
  writes: number
  syncsBegun: number
  /** By thread: the sync it is in, and the last write which that covers. */
  syncing: Map<string, { sync: number; write: number }>
  /** Durable state: the last sync that has finished, and the last write which that covered. */
  durable: { sync: number; write: number }
  /** By connection: the last sync that had begun when its request was read. */
  requests: Map<string, number>
}

/**
 * Reads a trace of `strace -f -yy`, in which each line begins with the thread's number. A call that is interrupted by
 * another thread's comes in two lines, `<unfinished ...>` and `resumed>`. strace sees a thread come back from a call
 * before the thread goes on, so whatever it does because of that call stands below it.
 */
export function readPromises(trace: string): Promises {
  const progress: Progress = {
    acknowledged: 0,
    syncs: 0,
    beforeOwnWrites: [],
    withoutSync: [],
    writes: 0,
    syncsBegun: 0,
    syncing: new Map(),
    durable: { sync: 0, write: 0 },
    requests: new Map(),
  }
  for (const line of trace.split('\n')) {
    const [, thread = '', call = '', rest = ''] = /^(\d+) +(?:<\.\.\. )?(\w+)(.*)$/.exec(line) ?? []
    const [, target = ''] = /^\((\d+<(?:[^>]|->)*>)/.exec(rest) ?? [] // absent from the second of two lines
    if (call === 'fsync' || call === 'fdatasync') readSync(progress, { thread, target, rest })
    else if (target.endsWith('-wal>')) progress.writes++
    else if (call === 'read' || call === 'recvfrom') progress.requests.set(target, progress.syncsBegun)
    else if (target !== '' && rest.includes('"HTTP/1.1 201 ')) readAnswer(progress, target, line)
  }
  const { acknowledged, syncs, beforeOwnWrites, withoutSync } = progress
  return { acknowledged, syncs, beforeOwnWrites, withoutSync }
}

function readSync(
  progress: Progress,
  { thread, target, rest }: { thread: string; target: string; rest: string },
): void {
  if (target.endsWith('-wal>')) progress.syncing.set(thread, { sync: ++progress.syncsBegun, write: progress.writes })
  const finished = progress.syncing.get(thread)
  if (finished === undefined || rest.endsWith('<unfinished ...>')) return
  progress.syncing.delete(thread)
  if (!rest.endsWith(' = 0')) return
  progress.syncs++
  progress.durable = finished
}

function readAnswer(progress: Progress, connection: string, line: string): void {
  progress.acknowledged++
  if (progress.durable.write < progress.writes) progress.beforeOwnWrites.push(line)
  if (progress.durable.sync <= (progress.requests.get(connection) ?? 0)) progress.withoutSync.push(line)
}
