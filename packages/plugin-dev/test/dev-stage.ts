import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nextSeed } from '../../../.ci/test-seed.ts'
import { bankSimulator } from '../../bank-simulator/src/index.ts'
import {
  createPlatformLog,
  type LocalPlatform,
  openOperator,
  readConfig,
  startLocal,
} from '../../platform/src/index.ts'
import type { DevPlatform } from '../src/binding/index.ts'
import { type DevEvent, type DevOptions, type DevServer, startDev } from '../src/dev/index.ts'

/** A local platform in a folder of its own, that dev servers of tests work with. */
export interface StagePlatform {
  find: () => Promise<DevPlatform>
  local: () => LocalPlatform
  /** A key with the role `org:read` only. */
  readingKey: () => Promise<string>
  /** Stops it and starts it again on the same data, on the same ports. */
  stop: () => Promise<void>
  start: () => Promise<void>
  remove: () => Promise<void>
}

/** Starts a local platform on free ports. */
export async function stagePlatform(): Promise<StagePlatform> {
  const home = await mkdtemp(join(tmpdir(), 'dev-platform-'))
  let settings: Record<string, string> = { TILLWRIGHT_HOME: home, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' }
  const run = async () => {
    const config = readConfig({ ...settings, TILLWRIGHT_SEED: nextSeed() })
    return startLocal(config, 'http://localhost:9', {
      log: createPlatformLog(config, join(home, 'platform.log')),
      simulator: bankSimulator,
    })
  }
  let local = await run()
  settings = {
    ...settings,
    TILLWRIGHT_PORT: new URL(local.apiUrl).port,
    TILLWRIGHT_VAULT_PORT: new URL(local.vaultUrl).port,
  }
  return {
    local: () => local,
    stop: () => local.stop(),
    async start() {
      local = await run()
    },
    async remove() {
      await local.stop()
      await rm(home, { recursive: true, force: true })
    },
    async readingKey() {
      const operator = await openOperator(readConfig(settings))
      try {
        return (await operator.keys.createSecret({ roles: ['org:read'], scopes: [] })).key
      } finally {
        await operator.close()
      }
    },
    find: async () => ({
      environment: 'local',
      apiUrl: local.apiUrl,
      vaultUrl: local.vaultUrl,
      apiKey: local.local.adminApiKey,
      storeId: local.local.storeId,
      async makePublishableKey(store, origins) {
        const operator = await openOperator(readConfig(settings))
        try {
          return (await operator.keys.createPublishable({ store, origins })).key
        } finally {
          await operator.close()
        }
      },
    }),
  }
}

/** A running dev server, with the events that it has emitted. */
export interface DevStage extends DevServer {
  root: string
  events: DevEvent[]
  write: (path: string, content: string | object) => Promise<void>
  remove: (path: string) => Promise<void>
  /** The data in a page's document. */
  dataOf: (path: string) => Promise<Record<string, unknown>>
}

/** Files of a plugin by their path; objects are written as JSON. */
export type StageFiles = Readonly<Record<string, string | object>>

/** Writes a plugin into a folder of its own, with the packages of this one installed, and serves it until the test is over. */
export async function devStage(
  platform: StagePlatform,
  files: StageFiles,
  options: Partial<DevOptions> = {},
): Promise<DevStage> {
  const root = await stageFolder(files)
  const events: DevEvent[] = []
  const dev = await startDev({
    folder: root,
    findPlatform: platform.find,
    port: 0,
    tell: (event) => void events.push(event),
    ...options,
  })
  onTestFinished(() => dev.stop())
  return {
    ...dev,
    root,
    events,
    write: (path, content) => writeStageFile(root, path, content),
    remove: (path) => rm(join(root, path)),
    dataOf: async (path) => dataIn(await (await fetch(dev.url + path)).text()),
  }
}

/** A folder with files, which goes when the test is over. */
export async function stageFolder(files: StageFiles): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dev-plugin-')))
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 3 }))
  const root = join(top, 'plugin')
  for (const [path, content] of Object.entries(files)) await writeStageFile(root, path, content)
  await symlink(join(import.meta.dirname, '../node_modules'), join(top, 'node_modules'))
  return root
}

async function writeStageFile(root: string, path: string, content: string | object): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

function dataIn(html: string): Record<string, unknown> {
  const [, json = 'null'] = /<script type="application\/json" id="tillwright-data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json)
}
