import { stat } from 'node:fs/promises'

/** Tells one state of a file from another; '' for none. */
export async function imprint(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
    () => '',
  )
}

/**
 * Whether a file is just being emptied, by its imprint from before and by that of now: systems such as ext4 take the text out
 * first and set the time last, and a busy disk may keep them between the two for longer than anybody waits. They tell of it
 * when it is done.
 */
export function isBeingEmptied(before: string, now: string): boolean {
  return before !== now && before.replace(/ \d+ /, ' 0 ') === now
}
