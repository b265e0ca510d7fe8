import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Modules that the page imports, so that the bench does not measure a page of a single module. */
const MODULES = 60

/** An app that is a plugin, and an app for plain Vite with the same modules. */
export interface BenchApp {
  root: string
  /** Writes the module that is edited, so that the page says this word: in one go, as editors do. */
  say: (word: string) => void
  /** Writes the settings, so that the page has this headline. */
  set: (headline: string) => void
}

/** Writes the same app into a folder of its own. */
export async function writeApp(): Promise<BenchApp> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-bench-dev-')))
  const root = join(top, 'app')
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const say = (word: string) =>
    writeFileSync(join(root, 'src/word.tsx'), `export const Word = () => <p id="word">${word}</p>\n`)
  const set = (headline: string) => writeFileSync(join(root, 'config/plain.json'), JSON.stringify({ headline }))
  const parts = Array.from({ length: MODULES }, (_, index) => index)
  await write('package.json', '{ "private": true, "dependencies": { "preact": "*" } }')
  await write('plugin.manifest.json', manifest)
  await Promise.all(parts.map((index) => write(`src/parts/part-${index}.tsx`, part(index))))
  await write(
    'src/parts.tsx',
    parts.map((index) => `export { Part${index} } from './parts/part-${index}.tsx'`).join('\n'),
  )
  await write('src/pages/home.tsx', page(parts))
  await write('index.html', document)
  await mkdir(join(root, 'config'))
  say('first')
  set('Welcome')
  await symlink(join(import.meta.dirname, '../node_modules'), join(top, 'node_modules'))
  return { root, say, set }
}

const manifest = JSON.stringify({
  pluginId: 'bench',
  name: 'Bench',
  version: '1.0.0',
  pages: [{ id: 'home', path: '/' }],
  configuration: { presets: { plain: 'config/plain.json' } },
})

/** Plain Vite's own; the plugin has one made for it. */
const document = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bench</title></head>
<body><div id="app"></div><script type="module" src="/src/pages/home.tsx"></script></body></html>
`

const part = (index: number) => `import { useState } from 'preact/hooks'
export function Part${index}() {
  const [count, setCount] = useState(${index})
  return <button onClick={() => setCount(count + 1)}>{count}</button>
}
`

const page = (parts: readonly number[]) => `import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Word } from '../word.tsx'
import { ${parts.map((index) => `Part${index}`).join(', ')} } from '../parts.tsx'
const read = () => JSON.parse(document.getElementById('tillwright-data')?.textContent ?? '{}').config?.headline ?? ''
function Home() {
  const [headline, setHeadline] = useState(read)
  useEffect(() => {
    document.addEventListener('tillwright:data', (event) => setHeadline((event as CustomEvent).detail.config.headline))
  }, [])
  return <main><h1>{headline}</h1><Word />${parts.map((index) => `<Part${index} />`).join('')}</main>
}
render(<Home />, document.getElementById('app')!)
`
