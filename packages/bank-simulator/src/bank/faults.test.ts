import { checkMessage } from '@tillwright/emv-3ds'
import { exchange } from '@tillwright/emv-3ds/vectors'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../platform/test/test-platform.ts'
import { cresIn, encoded, openIssuer } from '../../test/issuer.ts'
import type { Faults } from './scenario.ts'

const platform = sharedPlatform()
const CHALLENGE = '2503'

/** The outcomes of a faulty challenge answered with a code, as reported to the server and to the browser, and the sender. */
async function challenged(faults: Faults, code = '1234') {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ faults })
  const ares = await issuer.ask(CHALLENGE)
  await issuer.open(ares)
  const page = await issuer.answer(ares, code)
  return { ...issuer, ares, page }
}

test('what is arranged goes before the card, for one authentication', async () => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ outcome: 'R' })
  expect(await issuer.ask('4242')).toMatchObject({ transStatus: 'R', transStatusReason: '11' })
  const next = await openIssuer(platform())
  expect(await next.ask('4242')).toMatchObject({ transStatus: 'Y' })
})

test('what is arranged for a transaction leaves the account’s others alone, and goes before what is for the next', async () => {
  const [one, other] = [await openIssuer(platform()), await openIssuer(platform())]
  const { accountId, transactionId } = other
  await one.bank.control({ outcome: 'N', faults: {} }, { accountId, transactionId })
  await one.arrange({ outcome: 'A' })
  expect(await other.ask('4242')).toMatchObject({ transStatus: 'N' })
  expect(await one.ask('4242')).toMatchObject({ transStatus: 'A' })
})

test('what is arranged for one account does not touch another', async () => {
  const issuer = await openIssuer(platform())
  const { accountId } = await platform().addAccount()
  await issuer.bank.control({ outcome: 'N', faults: {} }, { accountId, transactionId: '' })
  expect(await issuer.ask('4242')).toMatchObject({ transStatus: 'Y' })
})

test('a challenge in the bank’s app can be arranged to fail', async () => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ challenge: 'oob', result: 'N' })
  const ares = await issuer.ask('4242')
  await issuer.open(ares)
  const result = issuer.nextResult()
  issuer.clock.advance(3_000)
  expect(await result).toMatchObject({ transStatus: 'N', transStatusReason: '01' })
})

test.for([
  ['malformed', '101'],
  ['duplicate', '204'],
  ['wrong_transaction', '301'],
] as const)('an answer that is %s is refused with %s, and comes whole to who asks again', async ([ares, errorCode]) => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ faults: { ares } })
  const text = await issuer.askForText('4242')
  const to = { ...exchange().frictionless, threeDSServerTransID: issuer.transactionId }
  const asked = { messageType: 'AReq', messageVersion: '2.2.0', threeDSServerTransID: to.threeDSServerTransID } as const
  expect(checkMessage(text, { to: asked })).toMatchObject({ outcome: 'error', erro: { errorCode } })
  expect(await issuer.ask('4242')).toMatchObject({ transStatus: 'Y', threeDSServerTransID: issuer.transactionId })
})

test.for([
  ['late', 5_000, ['AReq', 'ARes']],
  ['timeout', 300_000, ['AReq']],
] as const)('an answer with the fault %s is kept back for %i ms', async ([ares, ms, types]) => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ faults: { ares } })
  let answered = false
  const text = issuer.askForText('4242').finally(() => {
    answered = true
  })
  await expect.poll(async () => (await issuer.transcript()).map(({ type }) => type)).toEqual(types)
  issuer.clock.advance(ms - 1)
  await new Promise(setImmediate)
  expect(answered).toBe(false)
  issuer.clock.advance(1)
  expect(await text).toContain('"transStatus":"Y"')
})

test('a result can come after the browser, or long after it', async () => {
  for (const [rreq, ms] of [
    ['after', 1_000],
    ['late', 15_000],
  ] as const) {
    const { results, nextResult, page, clock } = await challenged({ rreq })
    expect(cresIn(page)?.cres['transStatus']).toBe('Y')
    expect(results).toEqual([])
    const result = nextResult()
    clock.advance(ms)
    expect(await result).toMatchObject({ transStatus: 'Y' })
  }
})

test('a result can come twice, or never', async () => {
  const twice = await challenged({ rreq: 'twice' })
  expect(twice.results).toHaveLength(2)
  expect(twice.results[0]).toEqual(twice.results[1])
  const types = (await twice.transcript()).map(({ type }) => type)
  expect(types).toEqual(['AReq', 'ARes', 'CReq', 'RReq', 'RRes', 'RReq', 'RRes', 'CRes'])
  const never = await challenged({ rreq: 'never' })
  expect(cresIn(never.page)?.cres['transStatus']).toBe('Y')
  expect(never.results).toEqual([])
})

test('a result can lack its outcome, or be that of another transaction', async () => {
  const malformed = await challenged({ rreq: 'malformed' })
  expect(checkMessage(JSON.stringify(malformed.results[0]))).toMatchObject({
    erro: { errorCode: '201', errorDetail: 'transStatus' },
  })
  const wrong = await challenged({ rreq: 'wrong_transaction' })
  expect(wrong.results[0]?.['threeDSServerTransID']).not.toBe(wrong.transactionId)
  expect(checkMessage(JSON.stringify(wrong.results[0]))).toMatchObject({ outcome: 'valid' })
})

test('the browser can be told the opposite of the result', async () => {
  const refused = await challenged({ cres: 'contradicts' }, '1111')
  expect(refused.results).toMatchObject([{ transStatus: 'N' }])
  expect(cresIn(refused.page)?.cres['transStatus']).toBe('Y')
})

test('the browser can be told nothing, another transaction, or no message at all', async () => {
  const never = await challenged({ cres: 'never' })
  expect(never.page).not.toContain('<form')
  const wrong = await challenged({ cres: 'wrong_transaction' })
  expect(cresIn(wrong.page)?.cres['threeDSServerTransID']).not.toBe(wrong.transactionId)
  const { page } = await challenged({ cres: 'malformed' })
  expect(() => cresIn(page)).toThrow(SyntaxError)
})

test.for([
  ['at once and for its transaction', {}, 'data-after="0"', true],
  ['after more than ten seconds', { method: 'late' }, 'data-after="12000"', true],
  ['for another transaction', { method: 'wrong_transaction' }, 'data-after="0"', false],
] as const)('the method page notifies %s', async ([, faults, after, own]) => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ faults })
  const { body } = await issuer.bank.methodPage(methodData(issuer.transactionId))
  const back = encoded({ threeDSServerTransID: issuer.transactionId })
  expect(body).toContain('action="https://vault.example/method"')
  expect(body).toContain(after)
  expect(body.includes(`name="threeDSMethodData" value="${back}"`)).toBe(own)
  expect((await issuer.transcript()).map(({ type }) => type)).toEqual(['Method'])
  await issuer.ask('4242') // which uses up what was arranged
})

test('the method page that hangs, or was told nothing, goes nowhere', async () => {
  const issuer = await openIssuer(platform())
  await issuer.arrange({ faults: { method: 'hang' } })
  const hanging = await issuer.bank.methodPage(methodData(issuer.transactionId))
  expect(hanging.body).not.toContain('<form')
  await issuer.ask('4242')
  const scripted = encoded({
    threeDSServerTransID: issuer.transactionId,
    threeDSMethodNotificationURL: 'javascript:alert(1)',
  })
  for (const posted of ['', 'x', encoded({}), scripted]) {
    expect((await issuer.bank.methodPage(posted)).body, posted).not.toContain('<form')
  }
})

function methodData(threeDSServerTransID: string): string {
  return encoded({ threeDSServerTransID, threeDSMethodNotificationURL: 'https://vault.example/method' })
}
