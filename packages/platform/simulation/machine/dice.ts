/** All chance of a simulation: a stream of numbers that its seed decides. Forks are independent of what others draw. */
export interface Dice {
  /** A number in [0, 1). */
  fraction(): number
  /** A whole number in [0, below). */
  below(below: number): number
  /** A number in [from, to). */
  between(from: number, to: number): number
  /** Whether something happens that has this probability. */
  chance(probability: number): boolean
  /** @throws If there is nothing to pick from. */
  pick<Item>(items: readonly Item[]): Item
  bytes(length: number): Uint8Array
  /** A stream of its own, which the name and this stream's seed decide. */
  fork(name: string): Dice
}

/** Source of the generator: sfc32, from PractRand; 32 bits a draw, period 2^32 at least. */
export function dice(seed: string): Dice {
  let [a, b, c, d] = wordsOf(seed)
  function word(): number {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let warm = 0; warm < 12; warm++) word()
  const fraction = () => word() / 2 ** 32
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    between: (from, to) => from + fraction() * (to - from),
    chance: (probability) => fraction() < probability,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
    fork: (name) => dice(`${seed}/${name}`),
  }
}

/** Source: cyrb128, which spreads a text over four words. */
function wordsOf(text: string): [number, number, number, number] {
  let [h1, h2, h3, h4] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    h1 = h2 ^ Math.imul(h1 ^ code, 597_399_067)
    h2 = h3 ^ Math.imul(h2 ^ code, 2_869_860_233)
    h3 = h4 ^ Math.imul(h3 ^ code, 951_274_213)
    h4 = h1 ^ Math.imul(h4 ^ code, 2_716_044_179)
  }
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1, h4 ^ h1]
}
