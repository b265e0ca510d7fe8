import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { buildCheckout } from '../../packages/checkout/build.ts'
import { startVault } from '../../packages/checkout/test/vault-server.ts'
import { stageStates } from './stage-states.ts'

const repository = join(import.meta.dirname, '../..')
const cardSources = join(repository, 'packages/checkout/src')

/** A page that shows every state of the card form in every theme and language, and the vault behind it. */
export interface Playground {
  url: string
  close(): Promise<void>
}

/**
 * Builds the card form from its sources and serves the playground; whoever changes a source sees it at once.
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
