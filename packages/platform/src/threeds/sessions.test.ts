import { type CallOf, contract, eventTypes } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { authenticationBody, newSessionBody, newThreedsSession } from '../../test/authenticate-card.ts'
import type { Answer, SentRequest } from '../../test/send-request.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

type AuthenticationBody = CallOf<typeof contract.threeds.authenticate>['body']

const CREATE = contract.threeds.createSession.path
const AUTHENTICATE = contract.threeds.authenticate.path
const MINUTE_MS = 60_000
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const create = (body: object, sent: SentRequest = {}) => platform().request('POST', CREATE, { body, ...sent })
  const authenticate = (body: object, sent: SentRequest = {}) =>
    platform().request('POST', AUTHENTICATE, { body, ...sent })
  const authenticated = (body: AuthenticationBody) => platform().call(contract.threeds.authenticate, { body })
  const sessionDataOf = async (sessionId: string) =>
    (await platform().call(contract.threeds.get, { params: { sessionId } })).sessionData
  const row = async (sessionId: string) => {
    const [found] = await platform().services.db.read('SELECT * FROM threeds_sessions WHERE id = ?', [sessionId])
    return found ?? {}
  }

  /** The events of a session, oldest first, each with its properties. */
  async function eventsOf(sessionId: string) {
    const rows = await platform().services.db.read(
      "SELECT * FROM events WHERE event_type <> replace(event_type, 'threeds', '') ORDER BY id",
      [],
    )
    return rows
      .map((event) => ({
        type: String(event['event_type']) as keyof typeof eventTypes, // the table of types is tested below
        storeId: event['store_id'],
        customerId: event['customer_id'],
        properties: JSON.parse(String(event['properties'])),
      }))
      .filter(({ properties }) => properties.sessionId === sessionId)
  }
  const eventTypesOf = async (sessionId: string) => (await eventsOf(sessionId)).map(({ type }) => type).toSorted()

  test('a new session has the fields of the reference, and keeps what its caller gave it', async () => {
    const body = await newSessionBody(platform())
    const session = await platform().call(contract.threeds.createSession, { body })
    expect(session).toEqual({
      id: expect.stringMatching(/^threeds_[0-9A-Za-z]{22}$/),
      externalSessionId: expect.stringMatching(uuid),
      provider: 'vendor_a',
      status: 'created',
      paymentInstrumentId: body.paymentInstrumentId,
      createdAt: new Date(platform().clock.now()).toISOString(),
    })
    expect(await sessionDataOf(session.id)).toEqual(body.sessionData)
    const [event] = await eventsOf(session.id)
    expect(event).toMatchObject({ type: 's_threeds_session_created', storeId: body.storeId })
    expect(event?.customerId).toMatch(/^cus_/)
    expect(event?.properties).toEqual({
      sessionId: session.id,
      paymentInstrumentId: body.paymentInstrumentId,
      provider: 'vendor_a',
      status: 'created',
    })
  })

  test.for([
    ['2.1.0', '2.1.0'],
    ['2.2.0', '2.2.0'],
    ['2.3.1', '2.2.0'],
    [undefined, '2.2.0'],
    [21, '2.2.0'],
  ] as const)('of the recommended version %s the session speaks %s', async ([recommended, spoken]) => {
    const sessionData = { recommended_version: recommended }
    for (const number of ['4242424242424242', '4000000000002503']) {
      const made = { ...(await newSessionBody(platform(), number)), sessionData }
      const { id } = await platform().call(contract.threeds.createSession, { body: made })
      const { threeDsVersion, creq } = await authenticated({ ...authenticationBody(id), challengePreference: '09' })
      expect(threeDsVersion).toBe(spoken)
      const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId: id } })
      expect(transcript.map(({ message }) => Object(message).messageVersion)).toEqual([spoken, spoken])
      if (creq !== null) expect(Buffer.from(creq, 'base64url').toString()).toContain(`"messageVersion":"${spoken}"`)
    }
  })

  test('a session of vendor_b has an id of its own kind', async () => {
    const session = await newThreedsSession(platform(), { provider: 'vendor_b' })
    expect(session).toMatchObject({ id: expect.stringMatching(/^3ds_[0-9A-Za-z]{22}$/), provider: 'vendor_b' })
    expect(await authenticated(authenticationBody(session.id))).toMatchObject({ status: 'successful' })
  })

  test.for([['text'], [17], [null], [true], [['a', { b: null }]], [{}]])(
    'any JSON is session data and is read back as sent, such as %j',
    async ([sessionData]) => {
      const answer = await create({ ...(await newSessionBody(platform())), sessionData })
      expect(answer.status).toBe(201)
      const { id } = contract.threeds.createSession.response.parse(answer.body)
      expect(await sessionDataOf(id)).toEqual(sessionData)
    },
  )

  test('a session without session data reads null, and keeps what it has after it ended', async () => {
    const { paymentInstrumentId, storeId, sessionData } = await newSessionBody(platform())
    const body = { paymentInstrumentId, storeId }
    const without = await platform().call(contract.threeds.createSession, { body })
    expect(await sessionDataOf(without.id)).toBeNull()
    const { id } = await platform().call(contract.threeds.createSession, { body: { ...body, sessionData } })
    await authenticated(authenticationBody(id))
    expect(await sessionDataOf(id)).toEqual(sessionData)
    const { apiKey } = await platform().addAccount()
    const foreign = await platform().request('GET', `/api/payments/v1/threeds-sessions/${id}`, { key: apiKey })
    expect([foreign.status, foreign.error.code]).toEqual([404, 'resource_missing'])
  })

  test('session data has a bound', async () => {
    const body = await newSessionBody(platform())
    expect((await create({ ...body, sessionData: 'x'.repeat(16_384 - 2) })).status).toBe(201)
    const answer = await create({ ...body, sessionData: 'x'.repeat(16_384 - 1) })
    expect([answer.status, answer.error.param]).toEqual([400, 'sessionData'])
  })

  test('instrument and store must exist, and belong together', async () => {
    const body = await newSessionBody(platform())
    const other = await platform().call(contract.stores.create, { body: { name: 'Other' } })
    const { apiKey } = await platform().addAccount()
    const answers = await Promise.all([
      create({ ...body, storeId: 'none' }),
      create({ ...body, paymentInstrumentId: 'none' }),
      create({ ...body, storeId: other.id }),
      create(body, { key: apiKey }),
    ])
    expect(answers.map(({ status, error }) => [status, error.code, error.param])).toEqual([
      [404, 'resource_missing', 'storeId'],
      [404, 'resource_missing', 'paymentInstrumentId'],
      [404, 'resource_missing', 'paymentInstrumentId'],
      [404, 'resource_missing', 'storeId'],
    ])
  })

  test('an instrument that is no longer active opens no session', async () => {
    const body = await newSessionBody(platform())
    await platform().services.db.write([
      { sql: 'UPDATE payment_instruments SET is_active = 0 WHERE id = ?', params: [body.paymentInstrumentId] },
    ])
    const answer = await create(body)
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
  })

  test('there are two providers', async () => {
    const answer = await create({ ...(await newSessionBody(platform())), provider: 'vendor_c' })
    expect([answer.status, answer.error.param]).toEqual([400, 'provider'])
  })

  test('without a challenge an authentication has every field, those of a challenge empty', async () => {
    const session = await newThreedsSession(platform())
    expect(await authenticated(authenticationBody(session.id))).toEqual({
      id: session.id,
      sessionId: session.id,
      status: 'successful',
      transStatus: 'Y',
      transStatusReason: null,
      eci: '05',
      authenticationValue: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
      dsTransactionId: expect.stringMatching(uuid),
      acsTransactionId: expect.stringMatching(uuid),
      threeDsVersion: '2.2.0',
      liabilityShifted: true,
      acsChallengeUrl: null,
      creq: null,
    })
    expect(await eventTypesOf(session.id)).toEqual(['s_threeds_session_created', 's_threeds_session_succeeded'])
  })

  test('a challenge is asked for at the simulated bank, on the API’s origin', async () => {
    const session = await newThreedsSession(platform(), { number: '4000000000002503' })
    const answer = await authenticated(authenticationBody(session.id))
    expect(answer).toMatchObject({ status: 'challenge_required', transStatus: 'C', eci: null, liabilityShifted: false })
    expect(answer.authenticationValue).toBeNull()
    expect(answer.acsChallengeUrl).toBe(`${platform().apiUrl}/acs/challenge`)
    expect(JSON.parse(Buffer.from(answer.creq ?? '', 'base64url').toString())).toMatchObject({
      messageType: 'CReq',
      threeDSServerTransID: session.externalSessionId,
      acsTransID: answer.acsTransactionId,
    })
    expect(await eventTypesOf(session.id)).toEqual([
      's_threeds_session_challenge_required',
      's_threeds_session_created',
    ])
  })

  test.for([
    ['4000000000002719', 'A', 'attempted', '06', true, 's_threeds_session_succeeded'],
    ['4000000000002925', 'N', 'failed', '07', false, 's_threeds_session_failed'],
    ['4000000000002313', 'U', 'unavailable', '07', false, 's_threeds_session_failed'],
    ['4000000000002537', 'R', 'rejected', '07', false, 's_threeds_session_failed'],
    ['4000000000002800', 'I', 'informational', '07', false, 's_threeds_session_failed'],
    ['5200000000002482', 'A', 'attempted', '01', true, 's_threeds_session_succeeded'],
    ['5200000000002185', 'R', 'rejected', '00', false, 's_threeds_session_failed'],
    ['5555555555554444', 'Y', 'successful', '02', true, 's_threeds_session_succeeded'],
  ] as const)(
    'the test card %s is a %s: %s, ECI %s, liability shifted %s',
    async ([number, transStatus, status, eci, liabilityShifted, type]) => {
      const session = await newThreedsSession(platform(), { number, provider: 'vendor_b' })
      const outcome = { status, transStatus, eci, liabilityShifted }
      expect(await authenticated(authenticationBody(session.id))).toMatchObject(outcome)
      expect(await row(session.id)).toMatchObject({ status, lease_until: 0 })
      const event = (await eventsOf(session.id)).find(({ properties }) => properties.status === status)
      expect(event?.type).toBe(type)
      const { paymentInstrumentId } = session
      const properties = { sessionId: session.id, paymentInstrumentId, provider: 'vendor_b', ...outcome }
      expect(event?.properties).toEqual(properties)
      expect(eventTypes[type].parse(properties)).toEqual(properties)
    },
  )

  const body = authenticationBody('threeds_1')
  const { processorConfig, purchaseInfo, cardholderInfo } = body
  const series = { expiration: '2031-01-01', frequency: '30' }
  const recurring = (recurringInfo: object) => ({ authenticationType: 'recurring-transaction', recurringInfo })
  const installment = (installments: string) => ({
    authenticationType: 'installment-transaction',
    recurringInfo: { ...series, installments },
  })

  test.for<[what: string, change: object, param: string, code?: string]>([
    ['no session', { sessionId: undefined }, 'sessionId', 'parameter_missing'],
    ['no merchant', { processorConfig: undefined }, 'processorConfig', 'parameter_missing'],
    [
      'no merchant id',
      { processorConfig: { ...processorConfig, merchantId: undefined } },
      'processorConfig.merchantId',
      'parameter_missing',
    ],
    ['an empty merchant id', { processorConfig: { ...processorConfig, merchantId: '' } }, 'processorConfig.merchantId'],
    ['a category of three digits', { processorConfig: { ...processorConfig, mcc: '541' } }, 'processorConfig.mcc'],
    ['a category with a letter', { processorConfig: { ...processorConfig, mcc: '541a' } }, 'processorConfig.mcc'],
    [
      'a merchant name of 41 characters',
      { processorConfig: { ...processorConfig, merchantName: 'x'.repeat(41) } },
      'processorConfig.merchantName',
    ],
    [
      'a country that there is not',
      { processorConfig: { ...processorConfig, merchantCountryCode: 'XX' } },
      'processorConfig.merchantCountryCode',
    ],
    [
      'a country number that there is not',
      { processorConfig: { ...processorConfig, merchantCountryCode: '999' } },
      'processorConfig.merchantCountryCode',
    ],
    [
      'a BIN of twelve digits',
      { processorConfig: { ...processorConfig, acquirerBin: '1'.repeat(12) } },
      'processorConfig.acquirerBin',
    ],
    [
      'an address that is none',
      { processorConfig: { ...processorConfig, merchantUrl: 'shop' } },
      'processorConfig.merchantUrl',
    ],
    [
      '13 digits',
      { purchaseInfo: { ...purchaseInfo, amount: '1'.repeat(13) } },
      'purchaseInfo.amount',
      'amount_invalid',
    ],
    [
      'a decimal amount',
      { purchaseInfo: { ...purchaseInfo, amount: '19.99' } },
      'purchaseInfo.amount',
      'amount_invalid',
    ],
    ['a negative amount', { purchaseInfo: { ...purchaseInfo, amount: '-1' } }, 'purchaseInfo.amount', 'amount_invalid'],
    ['an amount that is a number', { purchaseInfo: { ...purchaseInfo, amount: 1999 } }, 'purchaseInfo.amount'],
    [
      'a currency that there is not',
      { purchaseInfo: { ...purchaseInfo, currency: 'XXX' } },
      'purchaseInfo.currency',
      'currency_unsupported',
    ],
    [
      'a currency number that there is not',
      { purchaseInfo: { ...purchaseInfo, currency: '000' } },
      'purchaseInfo.currency',
      'currency_unsupported',
    ],
    ['a name of one letter', { cardholderInfo: { ...cardholderInfo, name: 'A' } }, 'cardholderInfo.name'],
    ['a name of 46 letters', { cardholderInfo: { ...cardholderInfo, name: 'A'.repeat(46) } }, 'cardholderInfo.name'],
    ['no e-mail address', { cardholderInfo: { ...cardholderInfo, email: 'ada' } }, 'cardholderInfo.email'],
    ['a preference that there is not', { challengePreference: '10' }, 'challengePreference'],
    ['a type that there is not', { authenticationType: 'payment' }, 'authenticationType'],
    [
      'a series without its end',
      { authenticationType: 'installment-transaction' },
      'recurringInfo',
      'parameter_missing',
    ],
    ['a day that there is not', recurring({ ...series, expiration: '2031-02-29' }), 'recurringInfo.expiration'],
    ['half a date', recurring({ ...series, expiration: '2031-0101' }), 'recurringInfo.expiration'],
    ['a frequency of zero days', recurring({ ...series, frequency: '0' }), 'recurringInfo.frequency'],
    [
      'installments without their number',
      { authenticationType: 'installment-transaction', recurringInfo: series },
      'recurringInfo.installments',
      'parameter_missing',
    ],
    ['a single installment', installment('1'), 'recurringInfo.installments'],
    ['1,000 installments', installment('1000'), 'recurringInfo.installments'],
    ['a frequency of 10,000 days', recurring({ ...series, frequency: '10000' }), 'recurringInfo.frequency'],
  ])('%s is a 400 that names it', async ([, change, param, code = 'parameter_invalid']) => {
    const answer = await authenticate({ ...body, ...change })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, code, param])
  })

  test('an installment-transaction tells the issuer how many installments the buyer agrees to', async () => {
    const { id } = await newThreedsSession(platform())
    const without = await authenticate({ ...authenticationBody(id), ...installment('12'), recurringInfo: series })
    expect([without.status, without.error.message]).toEqual([
      400,
      expect.stringContaining('send the number of installments'),
    ])
    const answer = await authenticate({ ...authenticationBody(id), ...installment('12') })
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'successful', transStatus: 'Y' }])
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId: id } })
    expect(transcript.find(({ type }) => type === 'AReq')?.message).toMatchObject({
      threeDSRequestorAuthenticationInd: '03',
      purchaseInstalData: '12',
      recurringFrequency: '30',
    })
  })

  test('what only the card or the clock can refuse is a 400 too, and the session stays as it was', async () => {
    const { id } = await newThreedsSession(platform(), { number: '5555555555554444' })
    const own = authenticationBody(id)
    const { acquirerBin: _, ...withoutBin } = own.processorConfig
    const noBin = await authenticate({ ...own, processorConfig: { ...withoutBin, acquirerBinNetwork1: '445566' } })
    expect([noBin.status, noBin.error.code, noBin.error.param]).toEqual([
      400,
      'parameter_missing',
      'processorConfig.acquirerBinNetwork2',
    ])
    const past = await authenticate({ ...own, ...recurring({ ...series, expiration: '20291231' }) })
    expect([past.status, past.error.code, past.error.param]).toEqual([
      400,
      'parameter_invalid',
      'recurringInfo.expiration',
    ])
    expect(await row(id)).toMatchObject({ status: 'created' })
    const good = { ...own, processorConfig: { ...withoutBin, acquirerBinNetwork2: '445566' }, ...recurring(series) }
    expect((await authenticate(good)).status).toBe(200)
  })

  test('another account’s session, or none, is a 404', async () => {
    const { id } = await newThreedsSession(platform())
    const { apiKey } = await platform().addAccount()
    for (const answer of [await authenticate(body), await authenticate(authenticationBody(id), { key: apiKey })]) {
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([404, 'resource_missing', 'sessionId'])
    }
    expect(await row(id)).toMatchObject({ status: 'created' })
  })

  test('a key needs the scope threeds:write', async () => {
    const { id } = await newThreedsSession(platform())
    const refused = await platform().addKey({ scopes: ['threeds:read'] })
    const answer = await authenticate(authenticationBody(id), { key: refused })
    expect([answer.status, answer.error.code]).toEqual([403, 'scope_missing'])
    const allowed = await platform().addKey({ scopes: ['threeds:write'] })
    expect((await authenticate(authenticationBody(id), { key: allowed })).status).toBe(200)
  })

  test.for(['4242424242424242', '4000000000002925', '4000000000002503'])(
    'a session with the card %s is authenticated once: the same request has the same answer, any other is a 409',
    async (number) => {
      const { id } = await newThreedsSession(platform(), { number })
      const first = await authenticated(authenticationBody(id))
      const [before, told] = [await row(id), await eventTypesOf(id)]
      expect(await authenticated(authenticationBody(id))).toEqual(first)
      const change = { purchaseInfo: { amount: '1', currency: 'USD' } }
      const other = await authenticate({ ...authenticationBody(id), ...change })
      expect([other.status, other.error.code]).toEqual([409, 'state_conflict'])
      expect([await row(id), await eventTypesOf(id)]).toEqual([before, told])
    },
  )

  it('of many that authenticate a session at once, one does', async () => {
    const { id } = await newThreedsSession(platform())
    const answers = await Promise.all(Array.from({ length: 8 }, () => authenticate(authenticationBody(id))))
    const given = answers.filter(({ status }) => status === 200).map((answer) => answer.body)
    expect(given.length).toBeGreaterThan(0)
    for (const each of given) expect(each).toEqual(given[0])
    for (const answer of answers) if (answer.status !== 200) expect(answer.error.code).toBe('state_conflict')
    expect(await eventTypesOf(id)).toEqual(['s_threeds_session_created', 's_threeds_session_succeeded'])
  })

  test('after half an hour a session has expired, with one event', async () => {
    const [early, late] = [await newThreedsSession(platform()), await newThreedsSession(platform())]
    platform().clock.advance(30 * MINUTE_MS - 1)
    expect((await authenticate(authenticationBody(early.id))).status).toBe(200)
    platform().clock.advance(1)
    for (const answer of [
      await authenticate(authenticationBody(late.id)),
      await authenticate(authenticationBody(late.id)),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
    }
    expect(await row(late.id)).toMatchObject({ status: 'expired' })
    const failures = (await eventsOf(late.id)).filter(({ type }) => type === 's_threeds_session_failed')
    expect(failures.map(({ properties }) => properties)).toEqual([
      {
        sessionId: late.id,
        paymentInstrumentId: late.paymentInstrumentId,
        provider: 'vendor_a',
        status: 'expired',
        transStatus: null,
        eci: null,
        liabilityShifted: false,
      },
    ])
  })

  test('a challenge that is not taken up expires with its session', async () => {
    const { id } = await newThreedsSession(platform(), { number: '4000000000002503' })
    await authenticated(authenticationBody(id))
    platform().clock.advance(30 * MINUTE_MS)
    expect((await authenticate(authenticationBody(id))).status).toBe(409)
    expect(await row(id)).toMatchObject({ status: 'expired' })
  })

  test.for([
    ['threeds=outage', 502, 'upstream_failed'],
    ['threeds=timeout', 504, 'upstream_timeout'],
  ] as const)('after %s the session can be authenticated again', async ([fault, status, code]) => {
    const session = await newThreedsSession(platform())
    const failed = await authenticate(authenticationBody(session.id), { headers: { 'Tillwright-Fault': fault } })
    expect([failed.status, failed.error.code, failed.error.type]).toEqual([status, code, 'api_error'])
    expect(await row(session.id)).toMatchObject({ status: 'authenticating', lease_until: 0, outcome: null })
    expect(await eventTypesOf(session.id)).toEqual(['s_threeds_session_created'])
    expect(await authenticated(authenticationBody(session.id))).toMatchObject({ status: 'successful' })
  })

  test('a fault that there is not is a 400 and changes nothing', async () => {
    const { id } = await newThreedsSession(platform())
    const sent: SentRequest[] = [
      { headers: { 'Tillwright-Fault': 'threeds=flood' } },
      { headers: { 'Tillwright-Fault': ['threeds=outage', 'threeds=timeout'] } },
    ]
    for (const each of sent) {
      const answer: Answer = await authenticate(authenticationBody(id), each)
      expect([answer.status, answer.error.param]).toEqual([400, 'Tillwright-Fault'])
    }
    expect(await row(id)).toMatchObject({ status: 'created' })
  })

  test('a session that a dead process was at is free after a minute, and the provider says what it would have said', async () => {
    const { services, clock } = platform()
    const session = await newThreedsSession(platform())
    const first = await authenticated(authenticationBody(session.id))
    await services.db.write([
      {
        sql: `UPDATE threeds_sessions SET status = 'authenticating', lease_until = ?, outcome = NULL WHERE id = ?`,
        params: [clock.now() + MINUTE_MS, session.id],
      },
    ])
    clock.advance(MINUTE_MS - 1)
    const early = await authenticate(authenticationBody(session.id))
    expect([early.status, early.error.code]).toEqual([409, 'state_conflict'])
    clock.advance(1)
    expect(await authenticated(authenticationBody(session.id))).toEqual(first)
  })
})
