import type { PNG } from 'pngjs'

/** How far one colour may be from the other to be taken for the same: text is smoothed a little differently each time. */
const COLOUR_THRESHOLD = 0.1
/** So much of a picture may differ: one pixel in two thousand. */
const DIFFERING_MAX_SHARE = 0.0005

/** Whether two pictures are the same to the eye. */
export type Comparison =
  | { outcome: 'same' }
  | { outcome: 'other-size'; message: string }
  | { outcome: 'differs'; message: string; difference: Buffer }

/** Compares two PNGs pixel by pixel. `difference` is a picture that shows in red where they differ. */
export async function comparePictures(before: Buffer, now: Buffer): Promise<Comparison> {
  if (before.equals(now)) return { outcome: 'same' }
  const [{ PNG }, { default: pixelmatch }] = await Promise.all([import('pngjs'), import('pixelmatch')])
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(now)]
  const { width, height } = a
  if (width !== b.width || height !== b.height) {
    return { outcome: 'other-size', message: `It is ${sizeOf(b)} and was ${sizeOf(a)}.` }
  }
  const difference = new PNG({ width, height })
  const differing = pixelmatch(a.data, b.data, difference.data, width, height, { threshold: COLOUR_THRESHOLD })
  const share = differing / (width * height)
  if (share <= DIFFERING_MAX_SHARE) return { outcome: 'same' }
  const percent = (share * 100).toFixed(2)
  const message = `${differing.toLocaleString('en-US')} pixels (${percent} %) differ.`
  return { outcome: 'differs', message, difference: PNG.sync.write(difference) }
}

function sizeOf({ width, height }: PNG): string {
  return `${width} x ${height}`
}
