import { readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from './spawn-program.ts'

/** The page of sizes: `pnpm run sizes` writes its tables, and `pnpm check`, `release/same-bytes.test.ts` and the rehearsal compare it with what they see. */
const PAGE = join(root, 'apps/docs/pages/reference/sizes.md')

/** Compressors, dependencies and every change move them a little. */
const TOLERANCE = 0.2

/** Limit for what `npx tillwright start` installs. */
export const INSTALLED_MAX_BYTES = 60_000_000

/** Sizes in bytes, by the name in the page of sizes. */
export type Sizes = ReadonlyMap<string, number>

/** Sizes of the checkout's built files after Brotli, as a browser loads them. */
export async function browserSizes(): Promise<Sizes> {
  const files = ['tillwright.js', 'card.html', 'threeds.js', 'threeds.html', 'methods.js', 'wallets.js']
  const sizes = files.map(async (file) => {
    const bytes = await readFile(join(root, 'packages/checkout/dist', file))
    return [`\`${file}\``, brotliCompressSync(bytes).length] as const
  })
  return new Map(await Promise.all(sizes))
}

/** Packed packages. @param tarballs Their archives, by the packages' names. */
export async function packageSizes(tarballs: ReadonlyMap<string, string>): Promise<Sizes> {
  const sizes = Array.from(tarballs, async ([name, tarball]) => [`\`${name}\``, (await stat(tarball)).size] as const)
  return new Map(await Promise.all(sizes))
}

/** The container image. */
export function imageSizes(image: { compressedBytes: number; unpackedBytes: number }): Sizes {
  return new Map([
    ['image, to download', image.compressedBytes],
    ['image, unpacked', image.unpackedBytes],
  ])
}

/** All that `npx` has installed, in bytes. @param cache The folder of npm's cache. */
export async function installedBytes(cache: string): Promise<number> {
  const entries = await readdir(join(cache, '_npx'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Says where the page differs from what was found by more than a fifth, or lacks it. */
export function staleSizes(found: Sizes, page = readFileSync(PAGE, 'utf8')): string[] {
  const stated = new Map(
    [...page.matchAll(/^\| (.+?) \|.* ([\d.,]+) (B|kB|MB) \|$/gm)].map(([, name = '', number = '', unit = '']) => [
      name,
      Number(number.replaceAll(',', '')) * (unit === 'B' ? 1 : unit === 'kB' ? 1_000 : 1_000_000),
    ]),
  )
  return Array.from(found).flatMap(([name, bytes]) => {
    const said = stated.get(name)
    if (said === undefined) return [`The page of sizes lacks ${name}: run "pnpm run sizes".`]
    return Math.abs(said - bytes) <= bytes * TOLERANCE
      ? []
      : [`The page of sizes says ${said} bytes for ${name}, which has ${bytes}: run "pnpm run sizes".`]
  })
}

/** Writes sizes into the rows that the page has for them. */
export function writeSizes(found: Sizes): void {
  const lines = readFileSync(PAGE, 'utf8').split('\n')
  for (const [name, bytes] of found) {
    const at = lines.findIndex((line) => line.startsWith(`| ${name} |`))
    if (at === -1) throw new Error(`The page of sizes has no row for ${name}: add one.`)
    lines[at] = (lines[at] ?? '').replace(/[^|]*\|$/, ` ${text(bytes)} |`)
  }
  writeFileSync(PAGE, lines.join('\n'))
}

function text(bytes: number): string {
  if (bytes < 10_000) return `${bytes.toLocaleString('en')} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
