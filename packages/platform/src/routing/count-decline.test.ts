import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { openForm } from '../../test/open-form.ts'
import { codeToken, requestPayment } from '../../test/pay-with-card.ts'
import { startTestPlatform, type TestPlatform } from '../../test/test-platform.ts'
import { authenticateWaiting, threedsActionOf } from '../../test/threeds-payment.ts'

const STOLEN = '4000000000009979'
const NO_FUNDS = '4000000000009995'

test('a card that is declined as stolen counts as three of the ten that its form may send', async () => {
  const platform = await limited()
  const send = await openForm(platform)
  const instrumentId = await instrumentOf(platform, await send({ number: STOLEN }))
  expect((await requestPayment(platform, { paymentInstrumentId: instrumentId })).status).toBe(402)
  expect(await sendUntilRefused(send)).toBe(7)
})

test('a card without funds counts once: honest buyers meet that too', async () => {
  const platform = await limited()
  const send = await openForm(platform)
  const instrumentId = await instrumentOf(platform, await send({ number: NO_FUNDS }))
  expect((await requestPayment(platform, { paymentInstrumentId: instrumentId })).status).toBe(402)
  expect(await sendUntilRefused(send)).toBe(9)
})

test('one that is declined after its buyer was authenticated counts as much', async () => {
  const platform = await limited()
  const send = await openForm(platform)
  const paymentInstrumentId = await instrumentOf(platform, await send({ number: STOLEN }))
  const processorId = await newProcessor(platform)
  const data = { name: 'F', strategy: 'simple' as const, threeDsEnabled: true, processorConfigs: [{ processorId }] }
  const { id: paymentFlowId } = await platform.call(contract.paymentFlows.create, { body: { data } })
  const asked = await requestPayment(platform, { paymentInstrumentId, paymentFlowId })
  const { id: paymentId, nextAction } = contract.payments.create.response.parse(asked.body)
  await authenticateWaiting(platform, { actionToken: threedsActionOf({ nextAction }).actionToken })
  const path = `/api/payments/v1/payments/${paymentId}/continue`
  expect((await platform.request('POST', path)).error.declineCode).toBe('stolen_card')
  expect(await sendUntilRefused(send)).toBe(7)
})

test('it counts as three for the address too, however many forms it loads', async () => {
  const platform = await limited()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) {
    const taken = await (await openForm(platform))({ number: STOLEN })
    statuses.push(taken.status)
    if (taken.status !== 201) continue
    await requestPayment(platform, { paymentInstrumentId: await instrumentOf(platform, taken) })
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
})

test('a saved card that is declined an hour later counts against the form that sent its security code alone', async () => {
  const platform = await limited()
  const first = await openForm(platform)
  const paymentInstrumentId = await instrumentOf(platform, await first({ number: STOLEN }))
  platform.clock.advance(60 * 60_000)
  await requestPayment(platform, { paymentInstrumentId })
  expect(await sessions(platform)).toEqual([])
  const securityCodeToken = await codeToken(platform, paymentInstrumentId)
  const [before] = await sessions(platform)
  expect((await requestPayment(platform, { paymentInstrumentId, securityCodeToken })).status).toBe(402)
  const [after] = await sessions(platform)
  const intervalUs = 360_000_000
  expect(Number(after?.['full_at_us']) - Number(before?.['full_at_us'])).toBeGreaterThanOrEqual(2 * intervalUs)
})

test('where a card came from is forgotten when it tells nothing any more', async () => {
  const platform = await limited()
  await (
    await openForm(platform)
  )()
  const senders = () => platform.services.db.read('SELECT id FROM card_tokens WHERE frame_address IS NOT NULL', [])
  expect(await senders()).toHaveLength(1)
  platform.clock.advance(62 * 60_000)
  await expect.poll(senders).toHaveLength(0)
})

async function limited(): Promise<TestPlatform> {
  const platform = await startTestPlatform({ rateLimits: true })
  onTestFinished(() => platform.remove())
  return platform
}

async function instrumentOf(platform: TestPlatform, taken: { body: unknown }): Promise<string> {
  const { serviceToken } = contract.vault.createToken.response.parse(taken.body)
  const body = { serviceToken, storeId: platform.local.storeId }
  const { paymentInstrument } = await platform.call(contract.paymentInstruments.createFromToken, { body })
  return paymentInstrument.id
}

async function sendUntilRefused(send: () => Promise<{ status: number }>): Promise<number> {
  for (let sent = 0; ; sent++) {
    if ((await send()).status === 429) return sent
  }
}

/** The buckets of forms that are not full. */
function sessions({ services, clock }: TestPlatform) {
  return services.db.read(
    "SELECT full_at_us FROM rate_buckets WHERE subject >= 'frame-session' AND subject < 'frame-soft' AND full_at_us > ?",
    [clock.now() * 1_000],
  )
}
