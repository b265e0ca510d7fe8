import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ChannelFailed, ChannelUnreachable, openChannel } from '../src/channel/channel-client.ts'
import { listenOnChannel } from '../src/channel/channel-server.ts'
import { channelTls, hasOpenssl } from '../test/channel-files.ts'

/** A channel as the vault opens it, and what arrives there. */
async function openVault() {
  const folder = await mkdtemp(join(tmpdir(), 'channel-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tls = channelTls(folder)
  const heard: unknown[] = []
  const operations = {
    authorise: async (argument: unknown) => (heard.push(argument), { outcome: 'succeeded' }),
    broken: () => Promise.reject(new Error('4539578763621486 was refused')),
  }
  const channel = await listenOnChannel({ host: '127.0.0.1', port: 0, tls, onError: () => {} }, operations)
  onTestFinished(channel.stop)
  const stranger = channelTls(join(folder, 'stranger'))
  return { tls, stranger, heard, url: `https://localhost:${channel.port}`, port: channel.port, stop: channel.stop }
}

/** A call by a client that accepts any certificate. */
function call(port: number, certificate: object, path = '/authorise'): Promise<number> {
  return new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', port, path, method: 'POST', agent: false, rejectUnauthorized: false }
    const asked = request({ ...at, ...certificate }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject).end('{}')
  })
}

describe.skipIf(!hasOpenssl)('the vault’s channel, with certificates made by openssl', () => {
  test('a caller without a certificate of the channel’s authority is turned away unheard', async () => {
    const { tls, stranger, heard, port } = await openVault()
    await expect(call(port, {})).rejects.toThrow()
    await expect(call(port, { cert: stranger.cert, key: stranger.key })).rejects.toThrow()
    await expect(call(port, { cert: tls.cert, key: tls.key, maxVersion: 'TLSv1.2' })).rejects.toThrow()
    expect(heard).toEqual([])
    expect(await call(port, { cert: tls.cert, key: tls.key })).toBe(200)
  })

  test('a process sends nothing to an impostor of the vault', async () => {
    const { tls, stranger, heard, url } = await openVault()
    const victim = openChannel([url], { ...tls, ca: stranger.ca })
    onTestFinished(victim.close)
    await expect(victim.call('authorise', { cardId: 'card_1' })).rejects.toThrow(ChannelUnreachable)
    expect(heard).toEqual([])
  })

  test('no call but those of the list is answered, and no failure tells what it was about', async () => {
    const { tls, url, port } = await openVault()
    const own = { cert: tls.cert, key: tls.key }
    for (const path of ['/readCard', '/constructor', '/toString', '/__proto__', '/'])
      expect(await call(port, own, path)).toBe(500)
    const channel = openChannel([url], tls)
    onTestFinished(channel.close)
    const failed = await channel.call('broken', {}).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ChannelFailed)
    expect(String(failed)).not.toContain('4539578763621486')
  })
})
