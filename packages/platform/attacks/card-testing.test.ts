/**
 * An attacker with a list of stolen numbers and a shop's publishable key, which stands in its pages. They load as many
 * forms as they like, and draw from all the addresses and ports that their provider has given them.
 */
import { frameAddressLimit } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../test/events/start-receiver.ts'
import { openForm } from '../test/open-form.ts'
import { newInstrument, requestPayment } from '../test/pay-with-card.ts'
import { startTestPlatform, type TestPlatform, type TestPlatformOptions } from '../test/test-platform.ts'

const CARDS = 60

test.for([
  ['one IPv4 address, from another port each time', (n: number) => `198.51.100.1:${5_000 + n}`, 1],
  ['one IPv6 address, from another port each time', (n: number) => `[2001:db8::1]:${5_000 + n}`, 1],
  ['one IPv4 address, written in several ways', (n: number) => ipv4Forms[n % ipv4Forms.length] ?? '', 1],
  ['one IPv6 address, written in several ways', (n: number) => ipv6Forms[n % ipv6Forms.length] ?? '', 1],
  ['another address of one /64 each time', (n: number) => `2001:db8::${n.toString(16)}`, 1],
  ['another /64 of one /56 each time', (n: number) => `2001:db8:0:${n.toString(16)}::1`, 1],
  ['another /56 of one /48 each time', (n: number) => `2001:db8:0:${(n * 256).toString(16)}::1`, 1.5],
  ['an entry of their own before the proxy’s', (n: number) => `203.0.113.${n}, 198.51.100.1`, 1],
] as const)('of 60 cards no more pass with %s than one client may try', async ([, addressOf, share]) => {
  const platform = await production()
  const statuses = await sendCards(platform, { addressOf })
  expect(statuses.filter((status) => status === 201)).toHaveLength(frameAddressLimit.burst * share)
  expect(statuses.filter((status) => status === 429)).toHaveLength(CARDS - frameAddressLimit.burst * share)
})

test('of 60 cards none passes with a text in place of an address', async () => {
  const platform = await production()
  const statuses = await sendCards(platform, { addressOf: (n) => `unknown-${n}` })
  expect(new Set(statuses)).toEqual(new Set([400]))
})

describe('while an attacker tests cards from a hundred addresses', () => {
  test('the shop’s ordinary buyers still pay, and each address of the attacker has less', async () => {
    const platform = await production()
    const tested = await testFromManyAddresses(platform)
    expect(tested.filter((status) => status === 201).length).toBeGreaterThan(150) // more than the account's bucket holds
    for (let buyer = 1; buyer <= 20; buyer++) {
      const send = await openForm(platform, from(`203.0.113.${buyer}`))
      expect((await send({ number: '4000000000000127' })).status).toBe(201) // mistyped, then right
      expect((await send()).status).toBe(201)
    }
    const { id: paymentInstrumentId } = await newInstrument(platform)
    expect((await requestPayment(platform, { paymentInstrumentId })).body).toMatchObject({ status: 'succeeded' })
    // An address that comes anew has its softer limit, 15 cards at once and not 30.
    const late = await sendCards(platform, { addressOf: () => '192.0.2.200' })
    expect(late.filter((status) => status === 201)).toHaveLength(15)
  })

  test('a shop with a challenge asks every form for it, and a buyer who solves it pays', async () => {
    const verifier = await startReceiver(() => ({ status: 200, body: '{"success":true}' }))
    const platform = await startTestPlatform({ rateLimits: true, challengeUrl: `${verifier.url}/siteverify` })
    onTestFinished(() => platform.remove())
    const { accountId } = platform.local
    const bucket = { sql: 'INSERT INTO rate_buckets (subject, full_at_us) VALUES (?, ?)' }
    const emptyUntilUs = (platform.clock.now() + 90_000) * 1_000 // as 150 cards leave it
    await platform.services.db.write([{ ...bucket, params: [`frame-account:${accountId}`, emptyUntilUs] }])
    const send = await openForm(platform)
    expect((await send()).error.code).toBe('challenge_required')
    expect((await send({ challengeResponse: 'solved' })).status).toBe(201)
  })
})

const ipv4Forms = ['198.51.100.1', '::ffff:198.51.100.1', '[::ffff:c633:6401]:80', '198.51.100.1:443']
const ipv6Forms = ['2001:db8::1', '2001:0DB8:0::0001', '[2001:db8:0:0:0:0:0:1]', '[2001:db8::1]:443']

async function production(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({ environment: 'production', rateLimits: true, ...options })
  onTestFinished(() => platform.remove())
  return platform
}

/** Header in which the proxy in front passes on a client's address. */
function from(address: string) {
  return { headers: { 'X-Forwarded-For': address } }
}

/** Sends a card from each of 60 forms, and tells the statuses. */
async function sendCards(
  platform: TestPlatform,
  { addressOf, cards = CARDS }: { addressOf: (n: number) => string; cards?: number },
): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < cards; n++) {
    const send = await openForm(platform, from(addressOf(n)))
    statuses.push((await send()).status)
  }
  return statuses
}

/** Two cards from each of a hundred addresses, each from a form of its own. */
function testFromManyAddresses(platform: TestPlatform): Promise<number[]> {
  return sendCards(platform, { addressOf: (n) => `192.0.2.${n % 100}`, cards: 200 })
}
