/** What happened to a file. */
export type ChangeKind = 'add' | 'change' | 'unlink'

/** What happened since the last batch, by path: each file once. */
export type Batch = ReadonlyMap<string, ChangeKind>

/**
 * Several files make a burst, such as another branch: it is over when nothing came for this long. A file that is saved alone
 * is not kept waiting at all: it is handed on when this turn is over. The shortest timer would cost it a millisecond.
 */
const BURST_MS = 40
/** However long a burst goes on, something is shown after this time. */
const LONGEST_MS = 500

/** Collects changes, and hands them on in batches, one after the other. */
export interface Coalescer {
  push: (path: string, kind: ChangeKind) => void
  /** Resolves when everything that was pushed has been handed on. */
  settled: () => Promise<void>
  stop: () => void
}

/** @param deliver Takes a batch; the next one waits until it is done, and it must not throw. */
export function coalesce(deliver: (batch: Batch) => Promise<void>): Coalescer {
  let pending = new Map<string, ChangeKind>()
  let sinceMs = 0
  let cancel = () => {}
  let delivering: Promise<void> | null = null
  let waiting: (() => void)[] = []

  function schedule(): void {
    if (delivering !== null || pending.size === 0) return
    cancel()
    const leftMs = Math.max(sinceMs + LONGEST_MS - performance.now(), 0)
    cancel = pending.size === 1 ? soon(flush) : later(flush, Math.min(BURST_MS, leftMs))
  }

  function flush(): void {
    cancel = () => {}
    const batch = pending
    pending = new Map()
    delivering = deliver(batch).finally(() => {
      delivering = null
      sinceMs = performance.now()
      if (pending.size > 0) return schedule()
      for (const tell of waiting) tell()
      waiting = []
    })
  }

  return {
    push(path, kind) {
      if (pending.size === 0) sinceMs = performance.now()
      pending.set(path, merged(pending.get(path), kind))
      schedule()
    },
    settled: () =>
      pending.size === 0 && delivering === null
        ? Promise.resolve()
        : new Promise<void>((resolve) => void waiting.push(resolve)),
    stop() {
      cancel()
      pending = new Map()
    },
  }
}

/** @returns What takes it back. */
function soon(work: () => void): () => void {
  const immediate = setImmediate(work)
  return () => clearImmediate(immediate)
}

/** @returns What takes it back. */
function later(work: () => void, afterMs: number): () => void {
  const timer = setTimeout(work, afterMs)
  return () => clearTimeout(timer)
}

/** Gone and there again is a change; new and changed is new. */
function merged(before: ChangeKind | undefined, now: ChangeKind): ChangeKind {
  if (before === 'unlink' && now === 'add') return 'change'
  return before === 'add' && now === 'change' ? 'add' : now
}
