/*
 * The attacker: any page that a developer opens while a local platform runs, on a name of the attacker's own that now points
 * at 127.0.0.1. The browser takes the platform for that page's own server, so no rule of origins is in the way.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { sharedPlatform, type TestPlatform } from '../test/test-platform.ts'

const TEST_KEY = '/api/public/v1/auth/test'
const platform = sharedPlatform()
const apiPort = () => new URL(platform().apiUrl).port

/** Paths that need no key, and so must not answer under a foreign host name. */
const readable: readonly [origin: 'api' | 'vault', path: string][] = [
  ['api', '/acs/timeline'],
  ['api', '/docs'],
  ['api', '/openapi.json'],
  ['api', '/healthz'],
  ['api', TEST_KEY],
  ['vault', '/v1/tillwright.js'],
  ['vault', '/v1/card'],
]

/** Names that a browser would send for an address of the attacker's. */
const foreign = [
  'rebound.attacker.example',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'plugins.localhost.attacker.example',
  'xlocalhost',
  'evil.localhost',
  '169.254.169.254',
  '[::2]',
  '0.0.0.0',
]

describe.each(readable)('on the origin of the %s, %s', (origin, path) => {
  const ask = (host: string) => visit({ apiUrl: urlOf(origin, platform()) }, { host, path })

  test.each(foreign)('%s is answered 421, and told what to use', async (name) => {
    const spellings = [name, `${name}:${apiPort()}`, name.toUpperCase(), ...(name.startsWith('[') ? [] : [`${name}.`])]
    for (const host of spellings) {
      const { status, text: body, headers } = await ask(host)
      expect([host, status]).toEqual([host, 421])
      expect(body).toContain('localhost, 127.0.0.1, [::1]')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('the names of this machine are answered, whatever port was mapped on the way', async () => {
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '[::1]']) {
      for (const host of [name, `${name}:${apiPort()}`, `${name}:8080`]) expect((await ask(host)).status).not.toBe(421)
    }
  })
})

test('a second host next to an allowed one is refused, on both origins', async () => {
  for (const origin of ['api', 'vault'] as const) {
    const socket = connect(Number(new URL(urlOf(origin, platform())).port), '127.0.0.1')
    socket.end(
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: rebound.attacker.example\r\nConnection: close\r\n\r\n',
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(?:00|21) /)
  }
})

test('hosts of plugins and promoted domains show their pages, and nothing of the API', async () => {
  const { url, id } = await deployPlugin(platform())
  const customDomain = 'shop.rebinding.example'
  await platform().call(contract.plugins.promoteToCustomDomain, { body: { deploymentId: id, customDomain } })
  for (const host of [new URL(url).host, customDomain, `${customDomain}:${apiPort()}`]) {
    const page = await visit(platform(), { host })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>Checkout</title>')])
    for (const path of ['/acs/timeline', '/openapi.json']) {
      const { status, headers } = await visit(platform(), { host, path })
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    }
  }
})

test('a domain that was taken off is another name again', async () => {
  const { id } = await deployPlugin(platform())
  const { storeId } = platform().local
  const hostname = 'gone.rebinding.example'
  await platform().call(contract.plugins.promoteToCustomDomain, { body: { deploymentId: id, customDomain: hostname } })
  await platform().call(contract.pluginManagement.removeDomain, { body: { storeId, hostname } })
  expect((await visit(platform(), { host: hostname, path: '/acs/timeline' })).status).toBe(421)
})

function urlOf(origin: 'api' | 'vault', { apiUrl, vaultUrl }: TestPlatform): string {
  return origin === 'api' ? apiUrl : vaultUrl
}
