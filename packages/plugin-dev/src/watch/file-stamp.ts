import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Writing a file truncates it first. One that is still empty after this time is empty on purpose. */
const EMPTY_MAX_MS = 250
/** Between two looks at an empty file, at most. */
const LOOK_MAX_MS = 32

type FileContent = 'nothing' | 'empty' | 'text'

/** Resolves when a file is not being written: when it has content, has been empty for a while, or does not exist. */
export async function waitUntilWritten(path: string): Promise<FileContent> {
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

/** The text of a file, once it is not being written; `null` if it does not exist. */
export async function readWhenWritten(path: string): Promise<string | null> {
  for (;;) {
    const found = await waitUntilWritten(path)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== '' || found === 'empty') return text
  }
}

/** A clock of another machine may be ahead, so that a time that is yet to come is past if it is far. */
function isPast(agoMs: number): boolean {
  return Math.abs(agoMs) >= EMPTY_MAX_MS
}

/** Identifies the state of a file: time, size and inode; '' if there is none. */
export async function fileStamp(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
    () => '',
  )
}

/**
 * Whether a file is being truncated, by its stamps before and now: file systems such as ext4 set the size first and the
 * time last, and on a busy disk the two may be seconds apart. They report the change when it is complete.
 */
export function isBeingEmptied(before: string, now: string): boolean {
  return before !== now && before.replace(/ \d+ /, ' 0 ') === now
}
