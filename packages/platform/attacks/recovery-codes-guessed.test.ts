import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleBrowser } from '../test/console-browser.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker knows a member's e-mail address and tries recovery codes, or invitations, as fast as the platform
// answers.

const platform = sharedPlatform({ rateLimits: true })

test('ten codes are tried, of one address for one member, and then one a minute', async () => {
  const email = 'victim@example.com'
  const { link } = await platform().call(contract.members.invite, { body: { email, role: 'owner' } })
  const victim = consoleBrowser(platform())
  const { recoveryCodes } = (await victim.accept(link)).body as { recoveryCodes: string[] }
  const attacker = consoleBrowser(platform())
  const guess = (code: string) => attacker.post('/console/sign-in/recovery-code', { email, code })
  const answers: string[] = []
  for (let tries = 0; tries < 15; tries++) answers.push((await guess(`aaaa-bbbb-cccc-000${tries}`)).error.code)
  expect(answers.filter((code) => code === 'sign_in_failed')).toHaveLength(10)
  expect(answers.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(5)
  const tried = platform().logged.filter((line) => line.includes('a sign-in was refused'))
  expect(tried.map((line) => JSON.parse(line).code)).toEqual(answers)
  expect(JSON.parse(tried[0] ?? '')).toMatchObject({ path: '/console/sign-in/recovery-code', address: '127.0.0.1' })
  expect(tried.join()).not.toMatch(/victim|aaaa/)
  // Not even the right one is looked at meanwhile; the member's passkey works all the same.
  expect((await guess(recoveryCodes[0] ?? '')).status).toBe(429)
  platform().clock.advance(60_000)
  expect((await victim.signIn()).status).toBe(200)
  platform().clock.advance(60_000)
  expect((await guess(recoveryCodes[0] ?? '')).status).toBe(200)
})

test('an unknown address is answered like a wrong code, and invitations are not tried without end', async () => {
  platform().clock.advance(20 * 60_000)
  const attacker = consoleBrowser(platform())
  const unknown = await attacker.post('/console/sign-in/recovery-code', { email: 'nobody@example.com', code: 'x' })
  const wrong = await attacker.post('/console/sign-in/recovery-code', { email: 'victim@example.com', code: 'x' })
  expect([unknown.status, unknown.error.message]).toEqual([wrong.status, wrong.error.message])
  const statuses: number[] = []
  for (let tries = 0; tries < 70; tries++) {
    const token = `inv_${String(tries).padStart(43, '0')}`
    statuses.push((await attacker.post('/console/accept/begin', { token })).status)
  }
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5)
})
