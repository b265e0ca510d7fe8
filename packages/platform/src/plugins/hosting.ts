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
  names: NameServers
  presets: PresetChecker
}

/** Answers of name servers: none when the name does not exist. Each rejects when the lookup fails. */
export interface NameServers {
  /** The TXT records of a name, each as one text. */
  txt: (name: string) => Promise<readonly string[]>
  /** The IPv4 and IPv6 addresses of a name. */
  addresses: (name: string) => Promise<readonly string[]>
}

/** How long a name server may take per attempt, of two. */
const QUERY_TIMEOUT_MS = 2_000

/**
 * Asks name servers.
 *
 * @param servers `address:port`; those of the machine unless given.
 */
export function nameServers(servers?: readonly string[]): NameServers {
  // One for each question: the machine's servers may have changed since the last.
  const resolver = () => {
    const asked = new Resolver({ timeout: QUERY_TIMEOUT_MS, maxTimeout: QUERY_TIMEOUT_MS, tries: 2 })
    if (servers !== undefined) asked.setServers(servers)
    return asked
  }
  return {
    // A record longer than 255 bytes comes in pieces (RFC 1035 section 3.3.14).
    txt: async (name) => (await orNone(resolver().resolveTxt(name))).map((pieces) => pieces.join('')),
    addresses: async (name) => {
      const asked = resolver()
      const found = await Promise.all([orNone(asked.resolve4(name)), orNone(asked.resolve6(name))])
      return found.flat()
    },
  }
}

async function orNone<Record>(lookup: Promise<Record[]>): Promise<Record[]> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof Error && 'code' in error && noRecords.has(error.code)) return []
    throw error
  }
}

const noRecords: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
