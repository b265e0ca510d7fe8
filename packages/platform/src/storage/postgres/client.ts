import pg from 'pg'
import type { Host } from './database-url.ts'
import { MissedDeadline, UnsafeDatabase } from './failures.ts'

/** A client that is not yet connected. Its errors are to be listened to. */
export function clientFor({ name: host, url, channelBinding }: Host, name: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: name,
    enableChannelBinding: channelBinding !== 'disable',
  })
  if (channelBinding === 'require') requireChannelBinding(client, host)
  return client
}

/**
 * Breaks a login off that is not bound to its TLS connection, before anything is sent that follows from the password: a
 * server in between would pass it on. The driver binds where it can, and does without where it cannot (RFC 5802, 6).
 */
function requireChannelBinding(client: pg.Client, host: string): void {
  const { connection } = client
  let isBound = false
  const refuse = (): void => {
    connection.stream.destroy()
    connection.emit(
      'error',
      new UnsafeDatabase(
        `${host} does not bind the login to its TLS connection (SCRAM-SHA-256-PLUS), which channel_binding=require ` +
          'asks for. Connect by TLS to the server itself and keep passwords as scram-sha-256, or write prefer.',
      ),
    )
  }
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    isBound = mechanisms.includes('SCRAM-SHA-256-PLUS')
    if (!isBound) refuse()
  })
  connection.on('authenticationCleartextPassword', refuse)
  connection.on('authenticationMD5Password', refuse)
  connection.on('authenticationOk', () => isBound || refuse())
}

/** Waits for a step, and breaks the connection off when it has taken too long. */
export async function inTime<T>(
  work: Promise<T>,
  { client, host, step, untilMs }: { client: pg.Client; host: string; step: string; untilMs: number },
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const leftMs = Math.max(0, untilMs - performance.now())
  const timer = setTimeout(() => {
    breakOff(client)
    late.reject(new MissedDeadline(`${host} gave no answer to ${step} within ${Math.round(leftMs)} ms`))
  }, leftMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** `end` would wait for the server, which may never answer. */
export function breakOff(client: pg.Client): void {
  client.connection.stream.destroy()
}
