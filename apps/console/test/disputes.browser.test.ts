import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { newDispute, newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const platform = sharedPlatform({ env: consoleHost })

test('a dispute is answered with evidence, which is kept while its page is left, and says afterwards when it was sent', async () => {
  const { call } = platform()
  const customerData = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const payment = await pay(platform(), (await newInstrument(platform(), { customerData })).id)
  const params = { paymentId: payment.id }
  const { id: disputeId } = await call(contract.disputes.simulate, { params, body: {} })
  const { page, complaints } = await signedIn(platform(), 'operations')
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(new URL(`/console/disputes/${disputeId}`, page.url()).href)
  await page.getByText('10 days left').waitFor()
  await page.getByText('ada@example.com').first().waitFor()
  await page.getByRole('button', { name: 'Answer with evidence' }).click()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace')
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.com')
  await page.getByLabel('Goods or service').fill('A pair of wool socks')
  await page.getByLabel('Tracking number').fill('JJD000390007')

  await page.keyboard.press('Escape')
  await page.getByRole('navigation').getByRole('link', { name: 'Disputes' }).click()
  await page.getByRole('table').getByRole('link').click()
  expect(await page.getByLabel('Tracking number').inputValue()).toBe('JJD000390007')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(await page.getByLabel('Tracking number').inputValue()).toBe('JJD000390007')

  const sent = page.waitForRequest((request) => request.url().endsWith(`/disputes/${disputeId}/evidence`))
  await page.getByRole('button', { name: 'Send evidence' }).click()
  expect((await sent).postDataJSON()).toEqual({
    productDescription: 'A pair of wool socks',
    customerName: 'Ada Lovelace',
    customerEmail: 'ada@example.com',
    shippingTrackingNumber: 'JJD000390007',
  })
  await page.getByText('Evidence was sent:').waitFor()
  await page.getByText('Answered', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send further evidence' }).waitFor()
  expect(await call(contract.disputes.get, { params: { disputeId } })).toMatchObject({
    status: 'open',
    evidenceSubmittedAt: expect.any(String),
  })
  expect(complaints).toEqual([])
})

test('a dispute that is decided, or whose time is over, and a member who may not answer are offered no form', async () => {
  const { call, clock } = platform()
  const [decided, late] = [await newDispute(platform()), await newDispute(platform())]
  await call(contract.disputes.simulateOutcome, { params: { disputeId: decided.id }, body: { outcome: 'lost' } })
  const reader = await signedIn(platform(), 'read_only')
  const { page } = await signedIn(platform())
  const shown = async (on: typeof page, disputeId: string) => {
    await on.clock.setFixedTime(clock.now())
    await on.goto(new URL(`/console/disputes/${disputeId}`, on.url()).href)
    await on.getByRole('heading', { name: 'What was bought' }).waitFor()
    return on.getByRole('button', { name: 'Answer with evidence' }).count()
  }
  expect(await shown(page, late.id)).toBe(1)
  expect(await shown(reader.page, late.id)).toBe(0)
  expect(await shown(page, decided.id)).toBe(0)
  await page.clock.setFixedTime(clock.now() + 11 * 24 * 60 * 60 * 1_000)
  await page.goto(new URL(`/console/disputes/${late.id}`, page.url()).href)
  await page.getByText('Time is up').waitFor()
  expect(await page.getByRole('button', { name: 'Answer with evidence' }).count()).toBe(0)
})

test('on the narrowest telephone the list of disputes has its deadlines in sight', async () => {
  await newDispute(platform())
  const { page } = await signedIn(platform(), 'support')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(new URL('/console/disputes', page.url()).href)
  const left = await page.getByText('10 days left').first().boundingBox()
  expect((left?.x ?? 0) + (left?.width ?? 320)).toBeLessThanOrEqual(320)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
