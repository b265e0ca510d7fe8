import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import prefresh from '@prefresh/vite'
import { createServer } from 'vite'
import { bankSimulator } from '../../bank-simulator/src/index.ts'
import { createPlatformLog, openOperator, readConfig, startLocal } from '../../platform/src/index.ts'
import { startDev } from '../src/dev/index.ts'

/** A server that shows the app. */
export interface BenchServer {
  url: string
  stop: () => Promise<void>
}

/** Plain Vite with the same plugin for Preact, as its template has it. */
export async function startVite(root: string): Promise<BenchServer> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    cacheDir: join(root, '.vite'),
    plugins: [await prefresh()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    server: { port: 0, host: 'localhost' },
  })
  await server.listen()
  return { url: server.resolvedUrls?.local[0] ?? '', stop: () => server.close() }
}

/** Ours, with a local platform that it starts, as `tillwright dev` does. */
export async function startOurs(root: string): Promise<BenchServer> {
  const home = join(root, '.tillwright')
  await mkdir(home, { recursive: true })
  const config = readConfig({ TILLWRIGHT_HOME: home, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' })
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const starting = startLocal(config, 'http://localhost:9', { log, simulator: bankSimulator })
  const dev = await startDev({
    folder: root,
    port: 0,
    async findPlatform() {
      const { apiUrl, vaultUrl, local } = await starting
      return {
        environment: 'local',
        apiUrl,
        vaultUrl,
        apiKey: local.adminApiKey,
        storeId: local.storeId,
        async makePublishableKey(store, origins) {
          const operator = await openOperator(config)
          const { key } = await operator.keys.createPublishable({ store, origins })
          await operator.close()
          return key
        },
      }
    },
  })
  return {
    url: dev.url,
    async stop() {
      await dev.stop()
      await (await starting).stop()
    },
  }
}
