/*
 * The attacker has a neighbouring origin on the vault's site, or stands between a buyer's browser and the platform when it is
 * first asked over plain HTTP.
 */
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const local = sharedPlatform()
const production = sharedPlatform({ environment: 'production' })

const ofVault = ['/v1/card', '/v1/threeds', '/v1/tillwright.js', '/api/vault/v1/jwk', '/nothing']
const ofApi = ['/docs', '/healthz', '/api/public/v1/auth/test', '/nothing']

test('every answer of the vault asks for an agent cluster of its own', async () => {
  for (const platform of [local(), production()]) {
    for (const path of ofVault) {
      const { headers } = await platform.vaultRequest('GET', path, { key: '' })
      expect(headers['origin-agent-cluster'], path).toBe('?1')
    }
  }
})

test('outside local both hosts are asked over HTTPS only, for two years', async () => {
  for (const path of ofVault) {
    const { headers } = await production().vaultRequest('GET', path, { key: '' })
    expect(headers['strict-transport-security'], path).toBe('max-age=63072000')
  }
  for (const path of ofApi) {
    const { headers } = await production().request('GET', path, { key: '' })
    expect(headers['strict-transport-security'], path).toBe('max-age=63072000')
  }
  expect((await local().vaultRequest('GET', '/v1/card')).headers).not.toHaveProperty('strict-transport-security')
  expect((await local().request('GET', '/docs')).headers).not.toHaveProperty('strict-transport-security')
})
