import { transStatus } from '@tillwright/contract'
import { checkMessage, requiredText } from '@tillwright/emv-3ds'
import { browserAreq, exchange } from '@tillwright/emv-3ds/vectors'
import { describe, expect, it } from 'vitest'
import { transcriptOf } from '../../platform/src/threeds/transcript.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../platform/test/test-platform.ts'
import { cresIn, encoded, openIssuer } from '../test/issuer.ts'

const CHALLENGE = '2503'
const IN_APP = '2818'
const DECOUPLED = '2834'

const ends: Readonly<Record<(typeof transStatus.options)[number], string>> = {
  Y: '4242',
  A: '2719',
  N: '2925',
  U: '2313',
  R: '2537',
  I: '2800',
  C: CHALLENGE,
  D: DECOUPLED,
}
/** Fields of an AReq that permit decoupled authentication. */
const wanted = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00010' }

describe.each(testableEngines())('on %s', (storage) => {
  const test = ruleTest(storage)
  const platform = sharedPlatform({ engine: storage })

  test.for(transStatus.options)(
    'the card of the outcome %s is answered so, with what belongs to it',
    async (outcome) => {
      const { ask } = await openIssuer(platform())
      const change = outcome === 'D' ? wanted : {}
      const ares = await ask(ends[outcome], change)
      expect(ares).toMatchObject({ messageType: 'ARes', transStatus: outcome })
      expect('authenticationValue' in ares).toBe(['Y', 'A'].includes(outcome))
      expect('transStatusReason' in ares).toBe(['N', 'U', 'R'].includes(outcome))
      expect('acsURL' in ares).toBe(outcome === 'C')
      expect(await ask(ends[outcome], change)).toEqual(ares)
    },
  )

  test('2.1.0 is spoken too, where nothing is informational', async () => {
    const { ask } = await openIssuer(platform())
    const old = { ...browserAreq('2.1.0'), threeDSServerTransID: undefined }
    const { threeDSServerTransID: _, ...change } = old
    expect(await ask(ends.I, change)).toMatchObject({ messageVersion: '2.1.0', transStatus: 'U' })
  })

  test('no two transactions share an id or a proof', async () => {
    const [one, other] = await Promise.all([openIssuer(platform()), openIssuer(platform())])
    const [first, second] = [await one.ask(ends.Y), await other.ask(ends.Y)]
    for (const name of ['acsTransID', 'dsTransID', 'authenticationValue'] as const) {
      expect(first[name]).not.toBe(second[name])
    }
    expect(first['acsTransID']).not.toBe(first['dsTransID'])
  })

  it('two who ask at once about one transaction are answered the same', async () => {
    const { ask } = await openIssuer(platform())
    const answers = await Promise.all([ask(CHALLENGE), ask(CHALLENGE), ask(CHALLENGE)])
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test.for([
    ['a field that is missing', { mcc: undefined }, '201', 'mcc'],
    ['a field of another format', { browserTZ: 'CET' }, '203', 'browserTZ'],
    ['a country that there is not', { merchantCountryCode: '999' }, '304', 'merchantCountryCode'],
    [
      'a transaction that there is not',
      { threeDSServerTransID: exchange().rres.acsTransID },
      '301',
      'threeDSServerTransID',
    ],
  ] as const)(
    'a request with %s is answered with an Erro of the directory',
    async ([, change, errorCode, errorDetail]) => {
      const { ask } = await openIssuer(platform())
      expect(await ask(ends.Y, change)).toMatchObject({
        messageType: 'Erro',
        errorCode,
        errorDetail,
        errorComponent: 'D',
      })
    },
  )

  test.for([
    ['1234', 'Y', undefined, 'Y'],
    ['7777', 'A', undefined, 'Y'],
    ['1111', 'N', '01', 'N'],
    ['2222', 'R', '11', 'N'],
    ['3333', 'U', '22', 'N'],
  ] as const)('the code %s ends a challenge with %s', async ([code, outcome, reason, answered]) => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    const { transactionId, results, transcript } = issuer
    expect(await issuer.open(ares)).toContain('Code we sent you')
    const end = cresIn(await issuer.answer(ares, code))
    const acsTransID = requiredText(ares, 'acsTransID')
    const result = { transStatus: outcome, interactionCounter: '01', acsTransID }
    expect(results).toMatchObject([result])
    expect(results[0]?.['transStatusReason']).toBe(reason)
    expect(checkMessage(JSON.stringify(results[0]))).toMatchObject({ outcome: 'valid' })
    expect(end).toEqual({
      target: browserAreq()['notificationURL'],
      sessionData: 'c2hvcA',
      cres: {
        messageType: 'CRes',
        messageVersion: '2.2.0',
        threeDSServerTransID: transactionId,
        acsTransID,
        transStatus: answered,
      },
    })
    const types = (await transcript()).map(({ type }) => type)
    expect(types).toEqual(['AReq', 'ARes', 'CReq', 'RReq', 'RRes', 'CRes'])
  })

  test('the third wrong code ends a challenge without success, and not the first two', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    expect(await issuer.answer(ares, '0000')).toContain('2 tries left')
    expect(await issuer.answer(ares, '')).toContain('One try left')
    expect(issuer.results).toEqual([])
    expect(cresIn(await issuer.answer(ares, '9999'))?.cres['transStatus']).toBe('N')
    expect(issuer.results).toMatchObject([{ transStatus: 'N', transStatusReason: '19', interactionCounter: '03' }])
  })

  test('a new code may be asked for without losing a try', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    await issuer.answer(ares, '0000')
    expect(await issuer.answer(ares, '', 'again')).toContain('2 tries left')
  })

  test('a buyer who cancels is reported as such', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    expect(cresIn(await issuer.answer(ares, '', 'cancel'))?.cres['transStatus']).toBe('N')
    expect(issuer.results).toMatchObject([{ transStatus: 'N', challengeCancel: '01' }])
  })

  test('what has been decided stays so, after a reload, in another tab and by the button for going back', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    const end = cresIn(await issuer.answer(ares, '1234'))
    expect(cresIn(await issuer.open(ares))).toEqual(end)
    expect(cresIn(await issuer.answer(ares, '1111'))).toEqual(end)
    expect(cresIn(await issuer.answer(ares, '', 'cancel'))).toEqual(end)
    expect(issuer.results).toHaveLength(1)
  })

  it('of two codes that are sent at once one decides, and both tabs end alike', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    const pages = await Promise.all([issuer.answer(ares, '1234'), issuer.answer(ares, '1111')])
    const [one, other] = pages.map((page) => cresIn(page)?.cres['transStatus'])
    expect(one).toBe(other)
    expect(issuer.results).toHaveLength(1)
  })

  test('another process takes over a challenge where the first has left it', async () => {
    const first = await openIssuer(platform())
    const ares = await first.ask(CHALLENGE)
    await first.open(ares)
    await first.answer(ares, '0000')
    const second = await openIssuer(platform())
    expect(await second.answer(ares, '0000')).toContain('One try left')
    await second.answer(ares, '1234')
    expect(second.results).toMatchObject([{ transStatus: 'Y', threeDSServerTransID: first.transactionId }])
  })

  test.each([
    ['en-US', 'ltr', 'Confirm your payment', '$19.99', 'Back to the shop'],
    ['de-AT', 'ltr', 'Bestätigen Sie Ihre Zahlung', '$\u00a019,99', 'Zurück zum Shop'],
    ['fr', 'ltr', 'Confirmez votre paiement', '19,99\u00a0$US', 'Retour à la boutique'],
    ['ja-JP', 'ltr', 'お支払いの確認', '$19.99', 'ショップに戻る'],
    ['ar', 'rtl', 'أكِّد دفعتك', '\u2066', 'العودة إلى المتجر'],
    ['fi-FI', 'ltr', 'Confirm your payment', '$19.99', 'Back to the shop'],
    ['de-1', 'ltr', 'Confirm your payment', '$19.99', 'Back to the shop'],
  ])('to a browser in %s the bank speaks its language to the end', async (browserLanguage, ...texts) => {
    const [direction, heading, amount, back] = texts
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(CHALLENGE, { browserLanguage })
    const page = await issuer.open(ares)
    expect(page).toContain(`dir="${direction}"`)
    expect(page).toContain(`<h1>${heading}</h1>`)
    expect(page).toContain(amount)
    expect(await issuer.answer(ares, '1234')).toContain(`<h1>${back}</h1>`)
  })

  test('the bank’s app answers by itself after three seconds, and the page knows', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(IN_APP)
    const id = requiredText(ares, 'acsTransID')
    expect(await issuer.open(ares)).toContain('Waiting for your answer in the app')
    expect(await issuer.bank.hasEnded(id)).toBe(false)
    expect(await issuer.answer(ares, '')).toContain('Waiting for your answer in the app')
    const result = issuer.nextResult()
    issuer.clock.advance(3_000)
    expect(await result).toMatchObject({ transStatus: 'Y', authenticationType: '03' })
    expect(await issuer.bank.hasEnded(id)).toBe(true)
    expect(cresIn(await issuer.answer(ares, ''))?.cres['transStatus']).toBe('Y')
  })

  test('a decoupled authentication goes on without a page where the shop asks for one, and is refused elsewhere', async () => {
    const issuer = await openIssuer(platform())
    const result = issuer.nextResult()
    expect(await issuer.ask(DECOUPLED, wanted)).toMatchObject({ transStatus: 'D', acsDecConInd: 'Y' })
    issuer.clock.advance(3_000)
    expect(await result).toMatchObject({ transStatus: 'Y', authenticationType: '04' })
    const other = await openIssuer(platform())
    expect(await other.ask(DECOUPLED)).toMatchObject({ transStatus: 'N', transStatusReason: '23' })
  })

  test('a challenge that no browser comes for ends after 30 seconds, one that is not answered after ten minutes', async () => {
    const absent = await openIssuer(platform())
    await absent.ask(CHALLENGE)
    const missed = absent.nextResult()
    absent.clock.advance(30_000)
    expect(await missed).toMatchObject({ transStatus: 'N', transStatusReason: '14', challengeCancel: '05' })

    const slow = await openIssuer(platform())
    const ares = await slow.ask(CHALLENGE)
    slow.clock.advance(29_999)
    await slow.open(ares)
    const late = slow.nextResult()
    slow.clock.advance(600_000)
    expect(await late).toMatchObject({ transStatus: 'N', transStatusReason: '14', challengeCancel: '04' })
    expect(cresIn(await slow.open(ares))?.cres['transStatus']).toBe('N')
  })

  test('a result that the server did not take is sent again ten seconds later', async () => {
    let fails = true
    const issuer = await openIssuer(platform(), async (rreq) => {
      if (fails) throw new Error('connection reset')
      return {
        ...exchange().rres,
        acsTransID: rreq['acsTransID'],
        dsTransID: rreq['dsTransID'],
        threeDSServerTransID: rreq['threeDSServerTransID'],
      }
    })
    const ares = await issuer.ask(CHALLENGE)
    await issuer.open(ares)
    expect(cresIn(await issuer.answer(ares, '1234'))?.cres['transStatus']).toBe('Y')
    fails = false
    const again = issuer.nextResult()
    issuer.clock.advance(10_000)
    expect(await again).toEqual(issuer.results[0])
  })

  test.for([
    ['that is no JSON', encoded('x').slice(1), '101', ''],
    ['of another message', encoded(exchange().cres), '101', 'messageType'],
    ['of a transaction that there is not', encoded(exchange().creq), '301', 'acsTransID'],
    ['without a size', encoded({ ...exchange().creq, challengeWindowSize: undefined }), '201', 'challengeWindowSize'],
  ] as const)('a request for a challenge %s is refused', async ([, creq, errorCode, detail]) => {
    const { bank } = await openIssuer(platform())
    const refused = await bank.openChallenge({ creq, threeDSSessionData: null })
    expect(refused).toMatchObject({ outcome: 'refused', erro: { errorCode, errorComponent: 'A' } })
    expect(refused.outcome === 'refused' && refused.erro['errorDetail']).toContain(detail)
  })

  test('nothing can be decided without a challenge', async () => {
    const issuer = await openIssuer(platform())
    const ares = await issuer.ask(ends.Y)
    expect(await issuer.open(ares)).toContain('"errorCode":"305"')
    expect(await issuer.answer(ares, '1111')).toContain('"errorCode":"301"')
    const challenged = await issuer.open({ ...ares, threeDSServerTransID: exchange().creq.acsTransID })
    expect(challenged).toContain('"errorCode":"301"')
    expect(issuer.results).toEqual([])
  })

  test('a transcript has every message in its order, without the number of the card, and is its account’s alone', async () => {
    const { ask, transcript, transactionId } = await openIssuer(platform())
    await ask(ends.Y)
    await ask(ends.Y, { mcc: '1' })
    const entries = await transcript()
    expect(entries.map(({ position, from, to, type }) => [position, from, to, type])).toEqual([
      [1, 'server', 'directory', 'AReq'],
      [2, 'directory', 'server', 'ARes'],
      [3, 'server', 'directory', 'AReq'],
      [4, 'directory', 'server', 'Erro'],
    ])
    expect(entries[0]).toMatchObject({ at: '2030-01-01T00:00:00.000Z', message: { acctNumber: '400000******1091' } })
    expect(JSON.stringify(entries)).not.toContain(browserAreq()['acctNumber'])
    const { accountId } = await platform().addAccount()
    expect(await transcriptOf(`threeds_${transactionId}`, accountId, platform().services.db)).toEqual([])
  })
})
