import { readFile, writeFile } from 'node:fs/promises'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/**
 * How far a picture is from the one that was looked at and kept. With `KEEP_PICTURES=1` the new one is kept instead.
 *
 * @param kept The file of the picture that was kept.
 * @param difference Where to write what differs, in red.
 * @returns The share of the pixels that differ, from 0 to 1; 1 for a picture of another size.
 */
export async function comparePictures(shot: Buffer, kept: string, difference: string): Promise<number> {
  if (process.env['KEEP_PICTURES'] === '1') {
    await writeFile(kept, shot)
    return 0
  }
  const [now, then] = [PNG.sync.read(shot), PNG.sync.read(await readFile(kept))]
  const { width, height } = now
  if (width !== then.width || height !== then.height) return 1
  const differing = new PNG({ width, height })
  const count = pixelmatch(now.data, then.data, differing.data, width, height, { threshold: 0.15 })
  await writeFile(difference, PNG.sync.write(differing))
  return count / (width * height)
}
