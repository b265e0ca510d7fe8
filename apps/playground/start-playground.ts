import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { buildCheckout } from '../../packages/checkout/build.ts'
import { startVault } from '../../packages/checkout/test/vault-server.ts'

const repository = join(import.meta.dirname, '../..')
const cardSources = join(repository, 'packages/checkout/src')

/** A page that shows every state of the card form in every theme and language, and the vault behind it. */
export interface Playground {
  url: string
  close(): Promise<void>
}

/**
 * Builds the card form from its sources and serves the playground; a changed source shows at once.
 *
 * @param port 0 for any that is free.
 */
export async function startPlayground(port: number): Promise<Playground> {
  const dist = await mkdtemp(join(tmpdir(), 'tillwright-playground-'))
  const build = async (): Promise<void> => {
    await buildCheckout(dist)
    await stageStates(dist)
  }
  await build()
  const vault = await startVault(dist)
  vault.hold = new Promise(() => {}) // nothing is ever answered: that is the busy state
  const vite = await createServer({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    cacheDir: join(dist, 'vite'),
    logLevel: 'warn',
    server: { host: 'localhost', port, fs: { allow: [repository] } },
    plugins: [vaultAddress(vault.url), rebuilds(build)],
  })
  await vite.listen()
  // Where a server listens on a host, Vite knows its address.
  const url = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
  vault.allowedOrigins = [url]
  return {
    url,
    close: async () => {
      await Promise.all([vite.close(), vault.close()])
      await rm(dist, { recursive: true })
    },
  }
}

/** Writes where the loader comes from into the page; the card frames come from there too. */
function vaultAddress(vaultUrl: string): Plugin {
  return { name: 'vault-address', transformIndexHtml: (html) => html.replaceAll('{{vault}}', vaultUrl) }
}

/** Builds the card form anew when one of its sources changes, and loads the page again. */
function rebuilds(build: () => Promise<void>): Plugin {
  return {
    name: 'rebuild-card-form',
    configureServer({ watcher, ws, config }) {
      watcher.add(cardSources)
      watcher.on('change', (file) => {
        if (!file.startsWith(cardSources)) return
        build().then(
          () => ws.send({ type: 'full-reload' }),
          (error: unknown) => config.logger.error(`The card form could not be built: ${String(error)}`),
        )
      })
    },
  }
}

/**
 * Makes a built card form show the state that its publishable key names. A page can neither fill in a card form nor
 * see into it, so the playground's frames get a script of their own, and a class that looks like the focus, which only
 * one field of a page can have.
 *
 * @param dist The folder of the build; its `card.html` and the hashes in `card.json` are written anew.
 */
async function stageStates(dist: string): Promise<void> {
  const [html, json, showState] = await Promise.all([
    readFile(join(dist, 'card.html'), 'utf8'),
    readFile(join(dist, 'card.json'), 'utf8'),
    readFile(join(import.meta.dirname, 'page/show-state.js'), 'utf8'),
  ])
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
  const stagedStyle = style.replaceAll(/:focus(?![\w-])/g, ':is(:focus,.focus)')
  const stagedScript = `${script}\n${showState}`
  const staged = html.replace(style, () => stagedStyle).replace(script, () => stagedScript)
  const built = JSON.parse(json)
  const scripts = [cspHash(stagedScript), ...built.scripts.slice(1)]
  const hashes = { ...built, style: cspHash(stagedStyle), scripts }
  await Promise.all([
    writeFile(join(dist, 'card.html'), staged),
    writeFile(join(dist, 'card.json'), JSON.stringify(hashes)),
  ])
}

function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
