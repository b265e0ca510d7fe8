/**
 * The attacker wants a payment to count as authenticated: a merchant with a key of their own, who reads what the API
 * tells of their sessions, or a stranger who has learned a transaction's ids. They send the result of a challenge
 * themselves.
 */
import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openOperator } from '../src/operator/operator.ts'
import { sharedPlatform } from '../test/test-platform.ts'
import { authenticateWaiting, CHALLENGE_CARD, newWaitingPayment, resultOf } from '../test/threeds-payment.ts'
import { selfSigned } from '../test/threeds/directory/self-signed.ts'
import { type Directory, shownCertificate, startDirectory } from '../test/threeds/directory/start-directory.ts'

const merchant = {
  merchantId: 'M1',
  mcc: '5411',
  merchantName: 'Canvas & Co',
  merchantCountryCode: 'US',
  acquirerBin: '445566',
}

describe('in production', () => {
  const platform = sharedPlatform({ environment: 'production' })
  const bank = sharedPlatform()
  let directory: Directory

  beforeAll(async () => {
    directory = await startDirectory(bank(), async () => '{}')
    const operator = await openOperator(readConfig(platform().settings))
    await operator.threeds.add({ name: 'vendor_a', settings: directory.settings })
    await operator.close()
    await platform().services.db.write([
      { sql: 'UPDATE processors SET config = ?', params: [JSON.stringify({ merchant })] },
    ])
    platform().clock.advance(1_000) // an operator's change is acted on within a second
  })
  afterAll(() => directory.stop())

  const bring = (rreq: string, headers: Record<string, string | string[]> = {}) =>
    platform().vaultRequest('POST', '/v1/threeds/results', { key: '', body: rreq, headers })
  const read = (sessionId: string) => platform().call(contract.threeds.get, { params: { sessionId } })

  async function challenged() {
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    await authenticateWaiting(platform(), waiting)
    expect(await read(waiting.sessionId)).toMatchObject({ status: 'challenge_required' })
    return waiting
  }

  test.for([
    ['no certificate', () => ({})],
    ['a certificate of their own', () => shownCertificate(selfSigned('directory').certificate)],
    ['the directory’s certificate in another header', () => ({ 'X-SSL-Client-Cert': directory.shown['Client-Cert'] })],
    ['the directory’s certificate beside what the proxy wrote', () => ({ 'Client-Cert': [shown(), stranger()] })],
    ['the subject of the directory’s certificate', () => ({ 'Client-Cert': 'CN=directory' })],
    ['an empty header', () => ({ 'Client-Cert': '' })],
  ] as const)('a result with all ids right and %s changes nothing', async ([, headers]) => {
    const { sessionId, payment } = await challenged()
    const answer = await bring(await resultOf(platform(), sessionId), headers())
    expect(answer.status).toBe(403)
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required', outcome: 'pending' })
    const continued = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/continue`, {})
    expect(continued.body).not.toMatchObject({ status: 'succeeded' })
  })

  test('the directory’s certificate in a request that has not come through the proxy is none', async () => {
    const { sessionId } = await challenged()
    const plain = await bring(await resultOf(platform(), sessionId), {
      ...directory.shown,
      'X-Forwarded-Proto': 'http',
    })
    expect(plain.status).toBe(400)
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required' })
  })

  test('a merchant is not told the directory’s id of a challenge before it has ended', async () => {
    const { sessionId } = await challenged()
    const rreq = await resultOf(platform(), sessionId)
    const { dsTransID } = JSON.parse(rreq)
    const before = await read(sessionId)
    expect(before.dsTransactionId).toBeNull()
    expect(JSON.stringify(before)).not.toContain(dsTransID)
    expect((await bring(rreq, directory.shown)).body).toMatchObject({ messageType: 'RRes', resultsStatus: '01' })
    const after = await read(sessionId)
    expect(after).toMatchObject({ status: 'successful', dsTransactionId: dsTransID })
  })

  test('another provider’s directory server cannot end a session', async () => {
    const { sessionId } = await challenged()
    const other = await startDirectory(bank(), async () => '{}')
    const operator = await openOperator(readConfig(platform().settings))
    await operator.threeds.add({ name: 'vendor_b', settings: other.settings })
    await operator.close()
    const answer = await bring(await resultOf(platform(), sessionId), other.shown)
    await other.stop()
    expect(answer.body).toMatchObject({ messageType: 'Erro', errorCode: '301', errorDetail: 'threeDSServerTransID' })
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required' })
  })

  const shown = () => directory.shown['Client-Cert']
  const stranger = () => shownCertificate(selfSigned('stranger').certificate)['Client-Cert']
})

describe('in production without the header of a proxy', () => {
  const platform = sharedPlatform({ environment: 'production', clientCertHeader: null })
  const bank = sharedPlatform()

  test('no result is taken, and operators are told so at the next start and by the command', async () => {
    const directory = await startDirectory(bank(), async () => '{}')
    const operator = await openOperator(readConfig(platform().settings))
    const added = await operator.threeds.add({ name: 'vendor_a', settings: directory.settings })
    expect(added.resultsRefused).toContain('TILLWRIGHT_CLIENT_CERT_HEADER')
    await operator.close()
    await platform().restart()
    const lines = platform().logged.filter((line) => line.includes('results of 3-D Secure challenges are refused'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, provider: 'vendor_a' }])
    const sent = { key: '', body: '{"messageType":"RReq"}', headers: directory.shown }
    expect((await platform().vaultRequest('POST', '/v1/threeds/results', sent)).status).toBe(403)
    await directory.stop()
  })
})
