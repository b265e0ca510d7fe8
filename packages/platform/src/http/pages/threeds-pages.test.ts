import { createHash, X509Certificate } from 'node:crypto'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'
import { newChallengedPayment, newWaitingPayment, resultOf } from '../../../test/threeds-payment.ts'
import { selfSigned } from '../../../test/threeds/directory/self-signed.ts'
import { readClientCertificate } from './threeds-pages.ts'

const encode = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64url')

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const post = (step: string, id: string, fields: Record<string, string>) =>
    platform().vaultRequest('POST', `/v1/threeds/${step}/${id}`, {
      key: '',
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://acs.example' },
    })
  const row = async (sessionId: string) => {
    const [found] = await platform().services.db.read('SELECT * FROM threeds_sessions WHERE id = ?', [sessionId])
    return found ?? {}
  }

  test.for([
    ['notify', 'challenge'],
    ['method', 'method'],
  ] as const)(
    'the page of %s tells the frame around it, on its own origin alone, that the %s is done',
    async ([path, step]) => {
      const { sessionId } = await newWaitingPayment(platform())
      const id = String((await row(sessionId))['external_session_id'])
      const page = await post(path, id, {})
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(`data-step="${step}" data-id="${id}"`)
      const [, script = ''] = /<script>(.*)<\/script>/.exec(page.text) ?? []
      expect(script).toContain('location.origin')
      const hash = createHash('sha256').update(script).digest('base64')
      expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`)
      expect(page.headers['content-security-policy']).toContain(`default-src 'none'`)
    },
  )

  test('an unknown transaction is answered alike, and what is no id is not found', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await post('notify', unknown, { cres: encode({}) })).status).toBe(200)
    for (const id of ['x', `${unknown}x`, '%3Cscript%3E', unknown.replace('4', 'G')]) {
      expect((await post('notify', id, {})).status).toBe(404)
    }
    expect((await platform().vaultRequest('GET', `/v1/threeds/notify/${unknown}`, { key: '' })).status).not.toBe(200)
  })

  test('what a browser carries is on record and decides nothing: the directory server’s word does', async () => {
    const { sessionId, actionToken } = await newChallengedPayment(platform())
    const sent = await resultOf(platform(), sessionId, { transStatus: 'N' })
    const { threeDSServerTransID: id, acsTransID } = JSON.parse(sent)
    const cres = {
      messageType: 'CRes',
      messageVersion: '2.2.0',
      threeDSServerTransID: id,
      acsTransID,
      transStatus: 'Y',
    }
    await post('notify', id, { cres: encode(cres), threeDSSessionData: 'abc' })
    expect(await row(sessionId)).toMatchObject({ status: 'challenge_required', cres_status: 'Y' })
    await platform().receiveThreedsResult(sent)
    await post('notify', id, { cres: encode(cres) })
    expect(await row(sessionId)).toMatchObject({ status: 'failed', cres_status: 'Y' })
    const result = await platform().call(contract.threedsFrame.result, { body: { actionToken } })
    expect(result).toEqual({ status: 'failed', transStatus: 'N', outcome: 'failed' })
  })

  test('an answer that does not belong to the challenge leaves no trace', async () => {
    const { sessionId } = await newChallengedPayment(platform())
    const { threeDSServerTransID: id, acsTransID } = JSON.parse(await resultOf(platform(), sessionId))
    const cres = { messageType: 'CRes', threeDSServerTransID: id, acsTransID, transStatus: 'Y' }
    for (const each of [
      { ...cres, threeDSServerTransID: acsTransID },
      { ...cres, acsTransID: id },
      { ...cres, transStatus: 'C' },
      { ...cres, messageType: 'CReq' },
      null,
      'text',
    ]) {
      expect((await post('notify', id, { cres: encode(each) })).status).toBe(200)
    }
    for (const text of ['', '%', 'e30', 'x'.repeat(1_000)]) {
      expect((await post('notify', id, { cres: text })).status).toBe(200)
    }
    expect(await row(sessionId)).toMatchObject({ notified_at: null, cres_status: null })
    await post('notify', id, { cres: encode({ messageType: 'Erro', threeDSServerTransID: id, acsTransID }) })
    expect(await row(sessionId)).toMatchObject({ cres_status: 'error' })
  })

  test('more than 64 KiB is no notification', async () => {
    const { sessionId } = await newWaitingPayment(platform())
    const id = String((await row(sessionId))['external_session_id'])
    expect((await post('notify', id, { cres: 'x'.repeat(65 * 1_024) })).status).toBe(400)
  })

  test('that a method page has run is on record once, if it was begun and the notification is its own', async () => {
    const { services, clock } = platform()
    const { sessionId } = await newWaitingPayment(platform())
    const id = String((await row(sessionId))['external_session_id'])
    const notify = (threeDSServerTransID: string) =>
      post('method', id, { threeDSMethodData: encode({ threeDSServerTransID }) })
    await notify(id)
    expect(await row(sessionId)).toMatchObject({ method_notified_at: null })
    await services.db.write([
      { sql: 'UPDATE threeds_sessions SET method_started_at = ? WHERE id = ?', params: [clock.now(), sessionId] },
    ])
    await notify('00000000-0000-4000-8000-000000000000')
    expect(await row(sessionId)).toMatchObject({ method_notified_at: null })
    clock.advance(1_000)
    await notify(id)
    clock.advance(1_000)
    await notify(id)
    expect(await row(sessionId)).toMatchObject({ method_notified_at: clock.now() - 1_000 })
  })
})

const { certificate: pem } = selfSigned('directory')
const { raw, fingerprint256 } = new X509Certificate(pem)
const base64 = raw.toString('base64')
const lines = base64.replaceAll(/.{64}/g, '$&\n')

test.for([
  ['RFC 9440', `:${base64}:`],
  ['HAProxy', base64],
  ['nginx', encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`)],
  [
    'AWS, which leaves + = / as they are',
    encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`)
      .replaceAll('%2B', '+')
      .replaceAll('%3D', '=')
      .replaceAll('%2F', '/'),
  ],
] as const)('a certificate is read as %s writes it', ([, header]) => {
  expect(readClientCertificate({ 'client-cert': header }, 'client-cert')?.fingerprint256).toBe(fingerprint256)
})

test.for([
  '',
  '::',
  ':!:',
  '%',
  '%zz',
  'CN=directory',
  `${base64}, ${base64}`,
  `:${base64.slice(0, 100)}:`,
  'A'.repeat(20_000),
])('%.20s is no certificate', (header) => {
  expect(readClientCertificate({ 'client-cert': header }, 'client-cert')).toBeNull()
})

test('without the header there is none', () => {
  expect(readClientCertificate({}, 'client-cert')).toBeNull()
})
