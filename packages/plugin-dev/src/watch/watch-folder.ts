import { relative, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { watch } from 'chokidar'
import { coalesce, type Batch, type ChangeKind } from './coalesce.ts'
import { filled } from './filled.ts'
import { imprint, isBeingEmptied } from './imprint.ts'
import { isIgnored } from './is-ignored.ts'

/** A folder that is being watched. */
export interface WatchedFolder {
  /** Watches files that lie elsewhere as well. */
  add: (paths: string | readonly string[]) => void
  /** Resolves when everything that was noticed has been handed on. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * When a file that has changed is looked at again. Systems tell of the second of two quick writes late or not at all, and
 * watchers pass over what follows within some milliseconds; whoever saves twice would be left with the first.
 */
const LOOK_AGAIN_MS: readonly number[] = [15, 60, 250]

/**
 * Watches a plugin's folder. What is built, installed or kept there is not told of, so that nothing that is written in
 * answer to a change is a change itself.
 *
 * @param deliver Takes what has changed, by absolute path; batches come one after the other.
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
    await filled(path)
    seen.set(path, await imprint(path))
  }

  async function lookAgain(paths: readonly string[]): Promise<void> {
    for (const afterMs of LOOK_AGAIN_MS) {
      await delay(afterMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      for (const path of paths) {
        const [before, now] = [seen.get(path) ?? '', await imprint(path)]
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
  watcher.on('error', () => {}) // a folder that goes while it is read; what is left of it is told of
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
