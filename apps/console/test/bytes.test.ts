import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

const built = new URL('../dist/manifest.json', import.meta.url)
const manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
)

/** The files of scripts that a chunk and all that it imports at once come to. */
async function scriptsOf(entries: readonly string[]): Promise<ReadonlySet<string>> {
  const chunks = manifest.parse(JSON.parse(await readFile(built, 'utf8')))
  const found = new Set<string>()
  const add = (name: string) => {
    const chunk = chunks[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}.`)
    if (found.has(chunk.file)) return
    found.add(chunk.file)
    chunk.imports.forEach(add)
  }
  entries.forEach(add)
  return found
}

async function brotliBytes(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(Array.from(files, async (file) => (await stat(new URL(`${file}.br`, built))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

test.each(['pages/home/home.tsx', 'pages/payments/payments.tsx'])(
  'the console up to its first page, %s, is under 60 KB of script, compressed',
  async (page) => {
    const texts = ['src/shell/texts/en.ts', `src/${page.split('/').slice(0, 2).join('/')}/texts/en.ts`]
    const files = await scriptsOf(['index.html', `src/${page}`, ...texts])
    expect(await brotliBytes(files)).toBeLessThan(60_000)
  },
)
