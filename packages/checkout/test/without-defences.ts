import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { BrowserContext } from 'playwright-core'

/** A line that protects the checkout, and what stands in its place in a build that has lost it. */
export interface Defence {
  /** The source, below `src/`. */
  file: string
  code: string
  instead: string
}

const source = join(import.meta.dirname, '..', 'src')

/**
 * Makes a browser get a loader and a card frame that have lost some defences. An attack that succeeds there and fails on
 * the real build is an attack, and it is this defence that stops it. The frame's policy lets the other script run, and
 * anybody frame it.
 */
export async function serveWithout(context: BrowserContext, defences: readonly Defence[]): Promise<void> {
  const [loader = '', ...scripts] = await Promise.all(
    ['script-tag.ts', 'frame/main.ts', 'frame/send.ts'].map((entry) => bundleWithout(entry, defences)),
  )
  await context.route('**/v1/tillwright.js', (route) => route.fulfill({ contentType: 'text/javascript', body: loader }))
  await context.route('**/v1/card?*', async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': policy = '', ...headers } = response.headers()
    const left = [...scripts]
    const html = (await response.text()).replaceAll(/<script>.*?<\/script>/gs, () => `<script>${left.shift()}</script>`)
    const loosened = policy
      .replace(/script-src [^;]+/, "script-src 'unsafe-inline'")
      .replace(/frame-ancestors [^;]+;/, '')
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': loosened }, body: html })
  })
}

/** Bundles a script, by its source below `src/`, that has lost some defences. */
export async function bundleWithout(entry: string, defences: readonly Defence[]): Promise<string> {
  const result = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    plugins: [remove(defences)],
    write: false,
  })
  return result.outputFiles[0]?.text ?? ''
}

function remove(defences: readonly Defence[]): Plugin {
  return {
    name: 'without-defences',
    async setup({ onLoad }) {
      for (const defence of defences) withoutOne(await readFile(join(source, defence.file), 'utf8'), defence)
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const lost = defences.filter(({ file }) => path === join(source, file))
        return { contents: lost.reduce(withoutOne, text), loader: 'ts' }
      })
    },
  }
}

function withoutOne(text: string, { file, code, instead }: Defence): string {
  if (!text.includes(code)) throw new Error(`${file} does not hold "${code}": say what protects the checkout now.`)
  return text.replaceAll(code, () => instead)
}
