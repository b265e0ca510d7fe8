import { erroOf } from '@tillwright/emv-3ds'
import { browserAreq, exchange } from '@tillwright/emv-3ds/vectors'
import { expect, test } from 'vitest'
import { openIssuer } from '../../../bank-simulator/test/issuer.ts'
import { sharedPlatform } from '../../test/test-platform.ts'
import { askDirectory } from './ask-directory.ts'
import type { EmvRequest } from './emv-request.ts'
import { type AuthenticationRequest, requireProvider } from './provider.ts'
import { bankProviders } from './simulated-bank.ts'

const platform = sharedPlatform()

/** A provider over the simulated bank, and a request for a card. */
async function openProvider(last4: string, change: object = {}) {
  const issuer = await openIssuer(platform())
  const card = { id: 'card_1', brand: 'visa', last4, bin: '400000', expMonth: 1, expYear: 2031 }
  const message = { ...browserAreq(), threeDSServerTransID: issuer.transactionId, ...change }
  // The vector is a whole AReq; the card row's other fields are never read.
  const request = { message, card } as unknown as AuthenticationRequest
  const providers = bankProviders(issuer.bank)
  return { ...issuer, provider: await requireProvider('vendor_a', providers), request }
}

test.for([
  ['4242', { transStatus: 'Y', authenticationValue: expect.stringMatching(/^.{28}$/), acsChallengeUrl: null }],
  ['2719', { transStatus: 'A', authenticationValue: expect.stringMatching(/^.{28}$/) }],
  ['2925', { transStatus: 'N', transStatusReason: '01', authenticationValue: null }],
  ['2313', { transStatus: 'U', transStatusReason: '22', authenticationValue: null }],
  ['2537', { transStatus: 'R', transStatusReason: '11', authenticationValue: null }],
  ['2800', { transStatus: 'I', authenticationValue: null }],
  ['2503', { transStatus: 'C', acsChallengeUrl: 'https://acs.example/acs/challenge' }],
] as const)('the answer for the card %s is told by what it comes to', async ([last4, expected]) => {
  const { provider, request } = await openProvider(last4)
  expect(await provider.authenticate(request)).toMatchObject({ threeDsVersion: '2.2.0', ...expected })
})

const answer = { ...exchange().frictionless }
const challenged = { ...exchange().challenge }

test.for([
  ['nothing', ''],
  ['no JSON', 'OK'],
  ['an outcome that there is not', JSON.stringify({ ...answer, transStatus: 'X' })],
  ['an authentication without its proof', JSON.stringify({ ...answer, authenticationValue: undefined })],
  ['a proof of another length', JSON.stringify({ ...answer, authenticationValue: 'MTIz' })],
  ['a challenge without a place', JSON.stringify({ ...challenged, acsURL: undefined })],
  ['a challenge in a script', JSON.stringify({ ...challenged, acsURL: 'javascript:alert(1)' })],
  ['another transaction', JSON.stringify({ ...answer, threeDSServerTransID: answer.dsTransID })],
] as const)('an answer that is %s is none', async ([, text]) => {
  const { request } = await openProvider('4242', { threeDSServerTransID: answer.threeDSServerTransID })
  await expect(askDirectory(request, async () => JSON.stringify(answer))).resolves.toMatchObject({ transStatus: 'Y' })
  await expect(askDirectory(request, async () => text)).rejects.toThrow('error')
})

test('a directory that repeats the card’s number in its error does not bring it into ours', async () => {
  const { request } = await openProvider('4242')
  const { acctNumber } = request.message
  const erro = erroOf({ code: '203', detail: `acctNumber ${acctNumber} is none`, component: 'D', about: {} })
  const error = await askDirectory(request, async () => JSON.stringify(erro)).catch((reason: unknown) => reason)
  expect(String(error)).toContain('203: acctNumber ****')
  expect(String(error)).not.toContain(acctNumber)
})

test('a bank may ask the buyer elsewhere where it was allowed to, and nowhere else', async () => {
  const allowed = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00010' }
  const wanted = await openProvider('2834', allowed)
  const decoupled = { transStatus: 'D', acsChallengeUrl: null, creq: null, authenticationValue: null }
  expect(await wanted.provider.authenticate(wanted.request)).toMatchObject(decoupled)

  const areq = JSON.stringify({ ...wanted.request.message, threeDSServerTransID: wanted.transactionId })
  const ares = await wanted.bank.answerAreq({ areq, brand: 'visa', last4: '2834' })
  const asked = ({ threeDSRequestorDecReqInd: _, threeDSRequestorDecMaxTime: __, ...same }: EmvRequest) => same
  const unasked = { ...wanted.request, message: asked(wanted.request.message) }
  await expect(askDirectory(unasked, async () => ares)).rejects.toThrow('not asked for')
  const unconfirmed = JSON.stringify({ ...JSON.parse(ares), acsDecConInd: 'N' })
  await expect(askDirectory(wanted.request, async () => unconfirmed)).rejects.toThrow('not confirmed')
})

test('a challenge names where it takes place, and its request the transaction', async () => {
  const { provider, request, transactionId } = await openProvider('2503')
  const authenticated = await provider.authenticate(request)
  expect(authenticated.acsChallengeUrl).toBe('https://acs.example/acs/challenge')
  expect(JSON.parse(Buffer.from(authenticated.creq ?? '', 'base64url').toString())).toEqual({
    messageType: 'CReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: transactionId,
    acsTransID: authenticated.acsTransactionId,
    challengeWindowSize: '05',
  })
})

test('the preset of a preview goes before the card', async () => {
  const { provider, request } = await openProvider('4242')
  expect(await provider.authenticate({ ...request, preset: 'network1_3ds' })).toMatchObject({ transStatus: 'C' })
})

test('the method page is that of the card’s range', async () => {
  const { provider } = await openProvider('4242')
  expect(await provider.methodUrl({ number: '4242424242424242', brand: 'visa' })).toBe('https://acs.example/acs/method')
  expect(await provider.methodUrl({ number: '378282246310005', brand: 'amex' })).toBeNull()
})

test.for([
  ['malformed', 'error 101'],
  ['wrong_transaction', 'error 301: threeDSServerTransID'],
  ['duplicate', 'error 204: transStatus'],
] as const)('an answer that is %s is none', async ([ares, why]) => {
  const { provider, arrange, request } = await openProvider('4242')
  await arrange({ faults: { ares } })
  await expect(provider.authenticate(request)).rejects.toThrow(why)
})

test('a request that the directory refuses has no answer, and the reason is reported', async () => {
  const { provider, request } = await openProvider('4242')
  const message = { ...request.message, mcc: '1' }
  await expect(provider.authenticate({ ...request, message })).rejects.toThrow('error 203: mcc')
})
