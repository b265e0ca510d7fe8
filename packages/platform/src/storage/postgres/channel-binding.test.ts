import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { postgresTls } from '../../../../../.ci/postgres-tls.ts'
import { type PostgresServer, startPostgres } from '../../../../../.ci/postgres.ts'
import { channelTls, hasOpenssl } from '../../../test/channel-files.ts'
import { openPostgres } from './open-postgres.ts'

describe.skipIf(inject('postgresUrl') === null || !hasOpenssl)('channel_binding, at a PostgreSQL with TLS', () => {
  let folder = ''
  let server: PostgresServer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'channel-binding-'))
    const rules = 'host all bound 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n'
    const settings = await postgresTls({ ...channelTls(join(folder, 'certificate')), rules })
    const started = await startPostgres({ settings })
    if ('missing' in started) throw new Error(started.missing)
    server = started
    await queryPostgres(server.url, `CREATE ROLE bound LOGIN PASSWORD 'a password'`)
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  /** Logs in over TLS that checks no certificate, unless told otherwise. */
  async function logIn(binding: string, { user = 'bound', sslmode = 'no-verify', port = '' } = {}): Promise<string> {
    const url = new URL(server.url)
    url.username = user
    url.password = 'a password'
    url.port = port || url.port
    url.search = `sslmode=${sslmode}&channel_binding=${binding}&connect_timeout=5`
    try {
      await (await openPostgres({ url: url.href })).close()
      return 'logged in'
    } catch (error) {
      return String(error)
    }
  }

  test('a login that the server can bind is bound, and works', async () => {
    expect(await logIn('require')).toBe('logged in')
    expect(await logIn('prefer')).toBe('logged in')
  })

  test('a login that cannot be bound is refused where it must be, and works where it need not', async () => {
    for (const unbound of [{ sslmode: 'disable' }, { user: 'postgres' }]) {
      expect(await logIn('require', unbound)).toMatch(/127\.0\.0\.1:\d+ does not bind the login .* or write prefer/)
      expect(await logIn('prefer', unbound)).toBe('logged in')
      expect(await logIn('disable', unbound)).toBe('logged in')
    }
  })

  test('a server in between that shows a certificate of its own gets nowhere with a bound login', async () => {
    const port = await startServerInBetween(server.url, join(folder, 'in-between'))
    expect(await logIn('disable', { port })).toBe('logged in')
    expect(await logIn('prefer', { port })).toContain('SCRAM channel binding check failed')
    expect(await logIn('require', { port })).toContain('SCRAM channel binding check failed')
  })
})

/** Ends a client's TLS and begins its own to the server, so that it reads everything that passes. */
async function startServerInBetween(url: string, home: string): Promise<string> {
  const identity = channelTls(home)
  const toServer = Number(new URL(url).port)
  const server = createServer(async (client) => {
    client.on('error', () => {})
    const [sslRequest] = await once(client, 'data')
    const onward = connect(toServer, '127.0.0.1')
    onward.write(sslRequest)
    await once(onward, 'data')
    client.write('S')
    const inside = new TLSSocket(client, { isServer: true, ...identity })
    const outside = connectTls({ socket: onward, rejectUnauthorized: false })
    inside.pipe(outside).pipe(inside)
    for (const socket of [inside, outside]) socket.on('error', () => client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port) // it listens on TCP
}
