/**
 * The word that was probably intended: the nearest by insertions, deletions, substitutions and swaps of neighbours,
 * with at most a third of its letters wrong. Case, `-` and `_` are ignored.
 *
 * @returns Null if none is close enough.
 */
export function nearMiss(written: string, words: Iterable<string>): string | null {
  if (written.length > 64) return null
  let [nearest, least]: [string | null, number] = [null, Infinity]
  for (const word of words) {
    const wrong = distance(plain(written), plain(word))
    if (wrong < least && wrong <= Math.max(plain(written).length, plain(word).length) / 3)
      [nearest, least] = [word, wrong]
  }
  return nearest
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Optimal string alignment. Source: Boytsov, "Indexing methods for approximate dictionary searching", 2011. */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const ways = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same]
      row.push(Math.min(...ways, ...(swapped ? [at(before, j - 2) + 1] : [])))
    }
    ;[before, last] = [last, row]
  }
  return at(last, other.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
