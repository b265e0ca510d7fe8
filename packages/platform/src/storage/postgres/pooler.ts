import type pg from 'pg'
import { readDatabaseUrl } from './database-url.ts'
import { clientFor, keepsNames } from './session.ts'

/**
 * The pooler between a platform and its PostgreSQL: none, or one that hands a connection of the server to a client for
 * as long as that stays (`session`) or for each transaction (`transaction`).
 */
export interface Pooler {
  mode: 'none' | 'session' | 'transaction'
  /** Whether prepared statements stay prepared under their names. */
  keepsStatements: boolean
}

/** How often two connections are compared: under load another client may have the one that both would get. */
const LOOKS = 10

/**
 * Looks which pooler is in between. Two of our connections that are served by one process of the server, although both
 * are open, give its mode away.
 *
 * @throws If no server of the URL answers.
 */
export async function poolerOf(url: string): Promise<Pooler> {
  const { hosts } = readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })
  const clients: pg.Client[] = []
  const opened = async () => {
    for (const [at, host] of hosts.entries()) {
      const client = clientFor(host, 'tillwright doctor')
      client.on('error', () => {}) // the failing call reports it
      clients.push(client)
      try {
        await client.connect()
        return client
      } catch (error) {
        if (at === hosts.length - 1) throw error
      }
    }
    throw new Error('A database URL names a host.')
  }
  try {
    const first = await opened()
    const { processID } = first as pg.Client & { processID: number | null } // from the handshake; missing in the types
    if ((await serverOf(first)) === processID) return { mode: 'none', keepsStatements: true }
    const keepsStatements = await keepsNames(first)
    const second = await opened()
    for (let look = 0; look < LOOKS; look += 1) {
      if ((await serverOf(first)) === (await serverOf(second))) return { mode: 'transaction', keepsStatements }
    }
    return { mode: 'session', keepsStatements }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
