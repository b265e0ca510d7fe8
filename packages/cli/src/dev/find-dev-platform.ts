import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import type { DevPlatform, FindPlatform } from '@tillwright/plugin-dev'
import { connectionLine, testKey } from '../target/connect.ts'
import { findTarget, urlAlone } from '../target/find-target.ts'
import { findLocalHome, type FoundLocal, homeFor } from '../target/local.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { printNotice } from '../terminal/print.ts'
import type { DevCommandOptions } from './dev-options.ts'

/** How long a platform may take to say that it is there, on a machine that does much else. */
const ANSWER_MS = 20_000

/** Finds the platform of a dev server, and stops one that was started for it. */
export interface PlatformSource {
  find: FindPlatform
  /** The link that makes the first member, of a platform that was started here and has none; `null` otherwise. */
  memberLink: () => Promise<string | null>
  stop: () => Promise<void>
}

/** The options that select the platform. */
export type PlatformOptions = Pick<DevCommandOptions, 'target' | 'url' | 'publishableKey' | 'variant'>

/**
 * Finds the platform to run a plugin on: the one given, otherwise the local one, which is started if none is running.
 * Its state is kept in the plugin's folder. One that was running is waited for when it stops: another would have none of its
 * products and settings, and take its port.
 *
 * @throws {CommandFailed} For production, where plugins in development are never run, and for an address alone.
 */
export function findDevPlatform(folder: string, options: PlatformOptions): PlatformSource {
  if (options.target === 'production') {
    throw new CommandFailed(
      '--target: plugins in development run on a local or development platform, never in production.',
      'usage',
    )
  }
  if (options.target === undefined && options.url !== undefined) throw urlAlone()
  const { variant: variantId } = options
  const selling = (platform: DevPlatform) => (variantId === undefined ? platform : { ...platform, variantId })
  if (options.target === 'development') {
    let said = ''
    const say = (line: string) => void (line !== said && printNotice((said = line)))
    return {
      find: async () => selling(await findRemote(options, say)),
      memberLink: async () => null,
      stop: async () => {},
    }
  }
  let own: Promise<OwnPlatform> | null = null
  let known: string | null = null
  return {
    async find() {
      const running = own === null ? await findRunning(folder) : null
      if (running !== null) {
        known = running.file.apiUrl
        return selling(fromLocal(running))
      }
      if (known !== null) throw new CommandFailed(`The platform at ${known} has stopped: start it again.`, 'network')
      own ??= homeFor(folder).then(startOwnPlatform)
      const { home, file } = await own
      return selling(fromLocal({ home, file }))
    },
    memberLink: async () => (await own)?.memberLink ?? null,
    async stop() {
      await (await own)?.stop()
    },
  }
}

/** @throws {CommandFailed} For one that takes the connection and does not answer: it is there, and has the plugin's shop. */
async function findRunning(folder: string): Promise<FoundLocal | null> {
  const found = await findLocalHome(process.env, folder)
  if (found === null) return null
  const { apiUrl } = found.file
  try {
    await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return found
  } catch (error) {
    if (!(error instanceof DOMException)) return null
    throw new CommandFailed(`The platform at ${apiUrl} does not answer: stop it, and start it again.`, 'network')
  }
}

function fromLocal({ home, file }: FoundLocal): DevPlatform {
  const { apiUrl, vaultUrl, adminApiKey, storeId } = file
  return {
    environment: 'local',
    apiUrl,
    vaultUrl,
    apiKey: adminApiKey,
    storeId,
    makePublishableKey: (store, origins) => makeLocalKey(home, { store, origins }),
  }
}

/** @param say Called with what all commands say of their platform. */
async function findRemote(options: PlatformOptions, say: (line: string) => void): Promise<DevPlatform> {
  const target = await findTarget(options)
  const { apiUrl, apiKey, storeId } = target
  const vaultUrl = await readVaultUrl(apiUrl)
  say(connectionLine(target, await testKey(createClient({ apiKey, baseUrl: apiUrl, maxRetries: 0 }), target)))
  const key = options.publishableKey ?? null
  return {
    environment: 'development',
    apiUrl,
    vaultUrl,
    apiKey,
    storeId,
    makePublishableKey: async () => key,
  }
}

/** A local platform running in this process. */
export interface OwnPlatform extends FoundLocal {
  memberLink: string | null
  stop: () => Promise<void>
}

/** The address of a shop, required by local platforms; `tillwright dev` has none. */
const NO_SHOP = 'http://localhost:4410'

/** Starts the local platform in this process, with its state in a folder, so that other commands find it. */
export async function startOwnPlatform(home: string): Promise<OwnPlatform> {
  const { createPlatformLog, readConfig, startLocal, takeHome } = await import('@tillwright/platform')
  const { bankSimulator } = await import('@tillwright/bank-simulator')
  const config = readConfig({ ...process.env, TILLWRIGHT_HOME: home, TILLWRIGHT_ENVIRONMENT: 'local' })
  await takeHome(home)
  const platform = await startLocal(config, NO_SHOP, {
    log: createPlatformLog(config, join(home, 'platform.log')),
    simulator: bankSimulator,
  })
  await platform.announce(null)
  const { local, memberLink, stop } = platform
  return { home, file: local, memberLink, stop }
}

/** Creates a publishable key on a local platform, which needs no restart. */
async function makeLocalKey(home: string, wanted: { store: string; origins: readonly string[] }): Promise<string> {
  const { openOperator, readConfig } = await import('@tillwright/platform')
  const operator = await openOperator(
    readConfig({ ...process.env, TILLWRIGHT_HOME: home, TILLWRIGHT_ENVIRONMENT: 'local' }),
  )
  try {
    return (await operator.keys.createPublishable({ ...wanted, name: 'Plugin pages of tillwright dev' })).key
  } finally {
    await operator.close()
  }
}

/**
 * The origin of a platform's vault, from its OpenAPI document.
 *
 * @throws {CommandFailed} If the document does not contain it.
 */
async function readVaultUrl(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/openapi.json`, { redirect: 'error' }).catch((error: unknown) => {
    throw new CommandFailed(`${apiUrl} could not be reached (${String(Object(error).message)}).`, 'network')
  })
  const { paths = {} }: { paths?: Record<string, unknown> } = Object(await response.json().catch(() => null))
  const ofVault = Object.entries(paths).filter(([path]) => path.startsWith('/api/vault/'))
  const [url] = ofVault.flatMap(([, path]) => serversIn(path)).filter((each) => new URL(each).origin !== apiUrl)
  if (url !== undefined) return new URL(url).origin
  throw new CommandFailed(`${apiUrl} does not describe its vault; is it a Tillwright platform?`)
}

/** The server addresses of a path or one of its operations. */
function serversIn(path: unknown): string[] {
  const places = [path, ...Object.values(Object(path))]
  return places.flatMap((place) => {
    const servers: unknown = Object(place)['servers']
    return Array.isArray(servers) ? servers.map((server) => String(Object(server)['url'])) : []
  })
}
