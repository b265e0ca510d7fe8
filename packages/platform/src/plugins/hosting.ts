import { Resolver } from 'node:dns/promises'
import type { Blobs } from '../storage/index.ts'
import type { PresetChecker } from './settings/index.ts'

/** Dependencies of plugins besides the services of every request. */
export interface PluginHosting {
  blobs: Blobs
  /** Every deployment has a host under this one: `http://plugins.localhost:4400`. */
  pluginsUrl: string
  /** Host names of the platform itself, which no account may claim. */
  ownHostnames: readonly string[]
  resolveTxt: ResolveTxt
  presets: PresetChecker
}

/** The TXT records of a name, each as one text; none when the name does not exist. Rejects when the lookup fails. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** How long a name server may take per attempt, of two. */
const QUERY_TIMEOUT_MS = 2_000

/**
 * Asks name servers.
 *
 * @param servers `address:port`; those of the machine unless given.
 */
export function dnsTxtResolver(servers?: readonly string[]): ResolveTxt {
  return async (name) => {
    // One for each question: the machine's servers may have changed since the last.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, maxTimeout: QUERY_TIMEOUT_MS, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      // A record longer than 255 bytes comes in pieces (RFC 1035 section 3.3.14).
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
    } catch (error) {
      if (error instanceof Error && 'code' in error && noRecords.has(error.code)) return []
      throw error
    }
  }
}

const noRecords: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
