import { relative, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { watch } from 'chokidar'
import { fileStamp, isBeingEmptied, waitUntilWritten } from './file-stamp.ts'

/** A folder that is being watched. */
export interface WatchedFolder {
  /** Watches files that lie elsewhere as well. */
  add: (paths: string | readonly string[]) => void
  /** Resolves when everything that was noticed has been handed on. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * When a changed file is checked again. Systems report the second of two quick writes late or not at all, and watchers
 * drop what follows within milliseconds, so the second save would be lost.
 */
const LOOK_AGAIN_MS: readonly number[] = [15, 60, 250]

/**
 * Watches a plugin's folder. Build outputs, installed packages and local state are ignored, so that applying a change
 * causes no further change.
 *
 * @param deliver Called with the changes, by absolute path; one batch at a time.
 */
export async function watchFolder(root: string, deliver: (batch: Batch) => Promise<void>): Promise<WatchedFolder> {
  const stopping = new AbortController()
  const seen = new Map<string, string>()
  const changes = coalesce(async (batch) => {
    await Promise.all([...batch.keys()].map(remember))
    await deliver(batch)
    void lookAgain([...batch.keys()])
  })

  async function remember(path: string): Promise<void> {
    await waitUntilWritten(path)
    seen.set(path, await fileStamp(path))
  }

  async function lookAgain(paths: readonly string[]): Promise<void> {
    for (const afterMs of LOOK_AGAIN_MS) {
      await delay(afterMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      for (const path of paths) {
        const [before, now] = [seen.get(path) ?? '', await fileStamp(path)]
        if (before === now || before !== (seen.get(path) ?? '') || isBeingEmptied(before, now)) continue
        seen.set(path, now)
        changes.push(path, kindOf(before, now))
      }
    }
    for (const path of paths) if (seen.get(path) === '') seen.delete(path) // names that editors use once would pile up
  }

  const ignored = (path: string) => isIgnored(relative(root, path).split(sep).join('/'))
  const watcher = watch(root, { ignored, ignoreInitial: true })
  for (const kind of ['add', 'change', 'unlink'] as const) watcher.on(kind, (path) => changes.push(path, kind))
  watcher.on('error', () => {}) // a folder that is removed while it is read; its files are reported
  await new Promise<void>((resolve) => void watcher.once('ready', resolve))
  return {
    add: (paths) => void watcher.add([paths].flat()),
    settled: changes.settled,
    async stop() {
      stopping.abort()
      changes.stop()
      await watcher.close()
    },
  }
}

function kindOf(before: string, now: string): ChangeKind {
  if (now === '') return 'unlink'
  return before === '' ? 'add' : 'change'
}

/** Folders of any depth that hold nothing of what an author writes. */
const folders = /(?:^|\/)(?:node_modules|\.git|\.tillwright|\.turbo|\.cache)(?:\/|$)/
/** Outputs of builds, tests and editors. */
const outputs = /^(?:dist|coverage|test-results|playwright-report)(?:\/|$)/
const drafts = /(?:^|\/)(?:\.#[^/]*|[^/]*~|[^/]*\.sw[a-p]|4913|\.DS_Store)$/

/**
 * Whether a change of a path cannot affect a page.
 *
 * @param path Relative to the plugin's folder, with `/` between its names. What lies outside is never ignored.
 */
function isIgnored(path: string): boolean {
  return !path.startsWith('../') && (folders.test(path) || outputs.test(path) || drafts.test(path))
}

type ChangeKind = 'add' | 'change' | 'unlink'

/** The changes since the last batch, by path. */
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
function coalesce(deliver: (batch: Batch) => Promise<void>): Coalescer {
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
      pending.set(path, mergedKind(pending.get(path), kind))
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

/** @returns A function that cancels it. */
function soon(work: () => void): () => void {
  const immediate = setImmediate(work)
  return () => clearImmediate(immediate)
}

/** @returns A function that cancels it. */
function later(work: () => void, afterMs: number): () => void {
  const timer = setTimeout(work, afterMs)
  return () => clearTimeout(timer)
}

/** Gone and there again is a change; new and changed is new. */
function mergedKind(before: ChangeKind | undefined, now: ChangeKind): ChangeKind {
  if (before === 'unlink' && now === 'add') return 'change'
  return before === 'add' && now === 'change' ? 'add' : now
}
