import { expect, test } from 'vitest'
import { browserAreq } from '@tillwright/emv-3ds/vectors'
import { sharedPlatform } from '../../testing/test-platform.ts'
import { askDirectory } from './ask-directory.ts'
import type { EmvRequest } from './emv-request.ts'
import type { AuthenticationRequest } from './provider.ts'
import { engineProviders, requireProvider } from './threeds-providers.ts'
import { openIssuer } from './engine/testing/issuer.ts'

const platform = sharedPlatform()

/** Both providers over one engine, and a request for a card. */
async function openProviders(last4: string, change: object = {}) {
  const issuer = await openIssuer(platform())
  const card = { id: 'card_1', brand: 'visa', last4, bin: '400000', expMonth: 1, expYear: 2031 }
  const message = { ...browserAreq(), threeDSServerTransID: issuer.transactionId, ...change }
  // The vector is a whole AReq; what a card row has beside this nobody looks at.
  const request = { message, card } as unknown as AuthenticationRequest
  const providers = engineProviders(issuer.engine)
  const [a, b] = [await requireProvider('vendor_a', providers), await requireProvider('vendor_b', providers)]
  return { ...issuer, a, b, request }
}

test.for(['4242', '2719', '2925', '2313', '2537', '2800', '2503'])(
  'the card %s comes to the same with both vendors',
  async (last4) => {
    const { a, b, request } = await openProviders(last4)
    expect(await b.authenticate(request)).toEqual(await a.authenticate(request))
  },
)

test('a bank may ask the buyer elsewhere where it was allowed to, and nowhere else', async () => {
  const allowed = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00010' }
  const wanted = await openProviders('2834', allowed)
  const answer = { transStatus: 'D', acsChallengeUrl: null, creq: null, authenticationValue: null }
  expect(await wanted.a.authenticate(wanted.request)).toMatchObject(answer)
  expect(await wanted.b.authenticate(wanted.request)).toMatchObject(answer)

  const areq = JSON.stringify({ ...wanted.request.message, threeDSServerTransID: wanted.transactionId })
  const ares = await wanted.engine.answerAreq({ areq, brand: 'visa', last4: '2834' })
  const asked = ({ threeDSRequestorDecReqInd: _, threeDSRequestorDecMaxTime: __, ...same }: EmvRequest) => same
  const unasked = { ...wanted.request, message: asked(wanted.request.message) }
  await expect(askDirectory(unasked, async () => ares)).rejects.toThrow('not asked for')
  const unconfirmed = JSON.stringify({ ...JSON.parse(ares), acsDecConInd: 'N' })
  await expect(askDirectory(wanted.request, async () => unconfirmed)).rejects.toThrow('not confirmed')
})

test('a challenge names where it takes place, and its request the transaction', async () => {
  const { a, request, transactionId } = await openProviders('2503')
  const answer = await a.authenticate(request)
  expect(answer.acsChallengeUrl).toBe('https://acs.example/acs/challenge')
  expect(JSON.parse(Buffer.from(answer.creq ?? '', 'base64url').toString())).toEqual({
    messageType: 'CReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: transactionId,
    acsTransID: answer.acsTransactionId,
    challengeWindowSize: '05',
  })
})

test('the preset of a preview goes before the card', async () => {
  const { a, request } = await openProviders('4242')
  expect(await a.authenticate({ ...request, preset: 'network1_3ds' })).toMatchObject({ transStatus: 'C' })
})

test('the method page is that of the card’s range', async () => {
  const { a, b } = await openProviders('4242')
  expect(await a.methodUrl({ number: '4242424242424242', brand: 'visa' })).toBe('https://acs.example/acs/method')
  expect(await b.methodUrl({ number: '378282246310005', brand: 'amex' })).toBeNull()
})

test.for([
  ['malformed', 'error 101'],
  ['wrong_transaction', 'error 301: threeDSServerTransID'],
  ['duplicate', 'error 204: transStatus'],
] as const)('an answer that is %s is none', async ([ares, why]) => {
  const { a, arrange, request } = await openProviders('4242')
  await arrange({ faults: { ares } })
  await expect(a.authenticate(request)).rejects.toThrow(why)
})

test('a request that the directory refuses has no answer, and the reason is told', async () => {
  const { a, request } = await openProviders('4242')
  const message = { ...request.message, mcc: '1' }
  await expect(a.authenticate({ ...request, message })).rejects.toThrow('error 203: mcc')
})
