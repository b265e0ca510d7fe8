import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import { readDatabaseUrl } from './database-url.ts'
import { clientFor, inTime } from './client.ts'
import { keepsNames } from './session.ts'

/**
 * The pooler between a platform and its PostgreSQL: none, or one that hands a connection of the server to a client for
 * as long as that stays (`session`) or for each transaction (`transaction`).
 */
export interface Pooler {
  mode: 'none' | 'session' | 'transaction'
  /** Whether prepared statements stay prepared under their names. */
  keepsStatements: boolean
  /** Whether the connection to it, or without one to the server, is over TLS. */
  isEncrypted: boolean
}

/** How long it may take until it has answered all: one that has no connection left lets its clients wait. */
const ANSWER_MS = 5_000
const GOODBYE_MS = 500
/** How often two connections are compared: under load another client may have the one that both would get. */
const LOOKS = 10

/**
 * Looks which pooler is in between. Two of our connections that are served by one process of the server, although both
 * are open, give its mode away.
 *
 * @throws If no server of the URL answers, or the pooler has no connection for us in time.
 */
export async function poolerOf(url: string): Promise<Pooler> {
  const { hosts } = readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })
  const untilMs = performance.now() + ANSWER_MS
  const clients: pg.Client[] = []
  const opened = async () => {
    for (const [at, host] of hosts.entries()) {
      const client = clientFor(host, 'tillwright doctor')
      client.on('error', () => {}) // the failing call reports it
      clients.push(client)
      const within = <T>(work: Promise<T>) =>
        inTime(work, { client, host: host.name, step: 'the search for a pooler', untilMs })
      try {
        await within(client.connect())
        return { client, serverOf: () => within(serverOf(client)), keepsNames: () => within(keepsNames(client)) }
      } catch (error) {
        if (at === hosts.length - 1) throw error
      }
    }
    throw new Error('A database URL names a host.')
  }
  try {
    const first = await opened()
    const { processID } = first.client as pg.Client & { processID: number | null } // from the handshake; missing in the types
    const isEncrypted = first.client.connection.stream instanceof TLSSocket
    if ((await first.serverOf()) === processID) return { mode: 'none', keepsStatements: true, isEncrypted }
    const keepsStatements = await first.keepsNames()
    const second = await opened()
    for (let look = 0; look < LOOKS; look += 1) {
      if ((await first.serverOf()) === (await second.serverOf())) {
        return { mode: 'transaction', keepsStatements, isEncrypted }
      }
    }
    return { mode: 'session', keepsStatements, isEncrypted }
  } finally {
    const goodbye = { host: '', step: 'the end of the connection', untilMs: performance.now() + GOODBYE_MS }
    await Promise.all(clients.map((client) => inTime(client.end(), { client, ...goodbye }).catch(() => {})))
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
