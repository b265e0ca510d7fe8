import { newSessionLimit, sessionLimit } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { beginSession } from '../../../test/buyer-session.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform({ rateLimits: true })

test('a session has a bucket of its own, which no other session and no server feels', async () => {
  const { pageRequest, request, local } = platform()
  const [one, other] = [await beginSession(platform()), await beginSession(platform())]
  const read = (key: string) => pageRequest('GET', '/api/session/v1/session', { key })
  const answers = await Promise.all(Array.from({ length: sessionLimit.burst + 1 }, () => read(one.token)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.map(({ error }) => error.code)).toEqual(['rate_limit_exceeded'])
  expect(refused[0]?.headers).toMatchObject({ 'retry-after': '1', 'access-control-allow-origin': '*' })
  expect((await read(other.token)).status).toBe(200)
  const served = await request('GET', `/api/public/v1/products/${local.productId}`)
  expect(served.headers['ratelimit']).toBe('"standard";r=149;t=1')
})

test('an address begins so many sessions and no more', async () => {
  const { pageRequest, local, clock } = platform()
  clock.advance(60 * 60 * 1_000)
  const begin = () => pageRequest('POST', '/api/session/v1/sessions', { body: { funnelId: local.funnelId } })
  const answers = await Promise.all(Array.from({ length: newSessionLimit.burst + 1 }, begin))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(newSessionLimit.burst)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
})
