import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Who writes a file empties it first. One that is still empty after this time is meant so. */
const EMPTY_MAX_MS = 250

/** Resolves when a file is not, or no longer, empty because it is just being written; at once where there is none. */
export async function filled(path: string): Promise<void> {
  for (let waitMs = 2; (await fillOf(path)) === 'emptied'; waitMs *= 2) await delay(waitMs)
}

/** The text of a file, which is not empty because it is just being written; `null` where there is no file. */
export async function readFilled(path: string): Promise<string | null> {
  for (;;) {
    await filled(path)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== '' || (await fillOf(path)) === 'empty') return text
  }
}

async function fillOf(path: string): Promise<'nothing' | 'emptied' | 'empty' | 'text'> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'nothing'
  if (found.size > 0) return 'text'
  // A clock of another machine may be ahead.
  return Math.abs(Date.now() - found.mtimeMs) < EMPTY_MAX_MS ? 'emptied' : 'empty'
}
