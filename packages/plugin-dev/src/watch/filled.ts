import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Who writes a file empties it first. One that is still empty after this time is meant so. */
const EMPTY_MAX_MS = 250
/** Between two looks at an empty file, at most. */
const LOOK_MAX_MS = 32

/** What a file is found to be. */
type Fill = 'nothing' | 'empty' | 'text'

/** Resolves when a file is not, or no longer, empty because it is just being written; at once where there is none. */
export async function filled(path: string): Promise<Fill> {
  const sinceMs = performance.now()
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, LOOK_MAX_MS)) {
    const found = await stat(path).catch(() => null)
    if (found === null) return 'nothing'
    if (found.size > 0) return 'text'
    // A file that is being emptied still has its former time, and a busy disk may take long over it: ext4 sets the time last.
    if (isPast(performance.now() - sinceMs) && isPast(Date.now() - found.mtimeMs)) return 'empty'
    await delay(waitMs)
  }
}

/** The text of a file, which is not empty because it is just being written; `null` where there is no file. */
export async function readFilled(path: string): Promise<string | null> {
  for (;;) {
    const found = await filled(path)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== '' || found === 'empty') return text
  }
}

/** A clock of another machine may be ahead, so that a time that is yet to come is past if it is far. */
function isPast(agoMs: number): boolean {
  return Math.abs(agoMs) >= EMPTY_MAX_MS
}
