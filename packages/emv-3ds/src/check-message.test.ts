import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkMessage, type Expected } from './check-message.ts'
import { MESSAGE_VERSIONS, requiredText, type EmvMessage } from './messages.ts'
import { errorDescriptions } from './error-codes.ts'
import { messageTables } from './fields.ts'
import { mutations, without, written } from './testing/mutate.ts'
import { appAreq, browserAreq, exchange, requestorAreq, vectors } from './vectors.ts'

/** The code and the detail of the Erro, or `null` for a message that is good. */
function faultOf(text: string, expected?: Expected) {
  const checked = checkMessage(text, expected)
  if (checked.outcome === 'valid') return null
  return { code: checked.erro['errorCode'], detail: requiredText(checked.erro, 'errorDetail') }
}

describe.each(MESSAGE_VERSIONS)('EMV 3DS %s', (version) => {
  test('every vector of the tables is good, alone and as the answer to its request', () => {
    const { preq, pres, frictionless, challenge, rreq, rres, cres } = exchange(version)
    for (const message of vectors(version)) expect(faultOf(JSON.stringify(message)), message.messageType).toBeNull()
    for (const message of [frictionless, challenge, rreq, rres, cres]) {
      expect(faultOf(JSON.stringify(message), { to: browserAreq(version) }), message.messageType).toBeNull()
    }
    expect(faultOf(JSON.stringify(pres), { to: preq })).toBeNull()
  })

  test('whatever is done to any field of any vector is caught with its code and told by its name', () => {
    for (const message of vectors(version)) {
      const fields = Object.keys(message).filter((name) => !['messageType', 'messageVersion'].includes(name))
      for (const { title, text, code, field } of mutations(message, fields)) {
        const fault = faultOf(text)
        expect(fault?.code, `${message.messageType} ${title}`).toBe(code)
        if (field !== null) expect(fault?.detail, title).toContain(field)
      }
    }
  })

  test('a text of characters that no field takes is caught wherever it stands', () => {
    const message = browserAreq(version)
    const bounded = messageTables.AReq.filter(({ name }) => typeof message[name] === 'string').map(({ name }) => name)
    fc.assert(
      fc.property(fc.constantFrom(...bounded), fc.integer({ min: 2_049, max: 4_000 }), (field, length) => {
        expect(faultOf(written(message, field, '~'.repeat(length)))).toEqual({ code: '203', detail: field })
      }),
    )
  })

  test('no text at all makes the check fail in another way than by an Erro', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const checked = checkMessage(text)
        expect(checked.outcome).toBe('error')
      }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...vectors(version)), fc.string(), fc.jsonValue(), (message, name, value) => {
        checkMessage(JSON.stringify({ ...message, [name]: value }))
      }),
    )
  })
})

type Case = readonly [title: string, message: EmvMessage, change: object, code: string, detail: string]

const browser = browserAreq()
const { frictionless, challenge, rreq, creq, cres } = exchange()
const cases: readonly Case[] = [
  ['a payment has an amount', browser, { purchaseAmount: undefined }, '201', 'purchaseAmount'],
  [
    'all that is missing is named',
    browser,
    { mcc: undefined, email: 1, acquirerBIN: undefined },
    '201',
    'acquirerBIN,mcc',
  ],
  ['a payment has a merchant', browser, { merchantName: undefined }, '201', 'merchantName'],
  [
    'a series says how long it runs, and parts how many they are',
    browser,
    { threeDSRequestorAuthenticationInd: '03' },
    '201',
    'purchaseInstalData,recurringExpiry,recurringFrequency',
  ],
  ['a single instalment is none', browser, { purchaseInstalData: '01' }, '203', 'purchaseInstalData'],
  ['a scripted browser tells its colours', browser, { browserColorDepth: undefined }, '201', 'browserColorDepth'],
  ['a colour depth is one of eight', browser, { browserColorDepth: '30' }, '203', 'browserColorDepth'],
  ['a state lies in a country', browser, { billAddrCountry: undefined }, '201', 'billAddrCountry'],
  ['a currency is one of ISO 4217', browser, { purchaseCurrency: '955' }, '304', 'purchaseCurrency'],
  ['a currency is a number', browser, { purchaseCurrency: 'USD' }, '203', 'purchaseCurrency'],
  ['a date is one of the calendar', browser, { purchaseDate: '20300230030405' }, '203', 'purchaseDate'],
  ['a notification goes to the web', browser, { notificationURL: 'javascript:alert(1)' }, '203', 'notificationURL'],
  [
    'a notification’s address has 256 characters',
    browser,
    { notificationURL: `https://a.example/${'a'.repeat(256)}` },
    '203',
    'notificationURL',
  ],
  ['a token has a source', browser, { payTokenInd: true }, '201', 'payTokenSource'],
  ['a decoupled request has a time', browser, { threeDSRequestorDecReqInd: 'Y' }, '201', 'threeDSRequestorDecMaxTime'],
  [
    'a decoupled request has a week',
    browser,
    { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '10081' },
    '203',
    'threeDSRequestorDecMaxTime',
  ],
  [
    'an inner field is named by its path',
    browser,
    { acctInfo: { chAccDate: '20230229' } },
    '203',
    'acctInfo.chAccDate',
  ],
  ['a number as dialled is whole', browser, { workPhone: { cc: '44' } }, '201', 'workPhone.subscriber'],
  [
    'an addition has data',
    browser,
    { messageExtension: [{ name: 'n', id: 'i', criticalityIndicator: false }] },
    '201',
    'messageExtension[0].data',
  ],
  [
    'there are ten additions at most',
    browser,
    {
      messageExtension: Array.from({ length: 11 }, () => ({
        name: 'n',
        id: 'i',
        criticalityIndicator: false,
        data: {},
      })),
    },
    '203',
    'messageExtension',
  ],
  ['an app names its SDK', appAreq(), { sdkTransID: undefined }, '201', 'sdkTransID'],
  ['an app tells its device', appAreq(), { sdkEncData: undefined }, '201', 'sdkEncData'],
  ['who asks alone says why', requestorAreq(), { threeRIInd: undefined }, '201', 'threeRIInd'],
  ['an authentication has its proof', frictionless, { authenticationValue: undefined }, '201', 'authenticationValue'],
  ['a proof has 20 bytes', frictionless, { authenticationValue: 'MTIz' }, '203', 'authenticationValue'],
  ['a refusal has a reason', frictionless, { transStatus: 'N' }, '201', 'transStatusReason'],
  ['a challenge has a place', challenge, { acsURL: undefined }, '201', 'acsURL'],
  ['a challenge’s place is on the web', challenge, { acsURL: 'data:text/html,x' }, '203', 'acsURL'],
  ['a challenge says how it is done', challenge, { authenticationType: undefined }, '201', 'authenticationType'],
  [
    'an answer is the one to this request',
    frictionless,
    { threeDSServerTransID: challenge.acsTransID },
    '301',
    'threeDSServerTransID',
  ],
  ['a window has one of five sizes', creq, { challengeWindowSize: '06' }, '203', 'challengeWindowSize'],
  ['a browser’s challenge ends with Y or N', cres, { transStatus: 'A' }, '203', 'transStatus'],
  ['a result counts the steps', rreq, { interactionCounter: undefined }, '201', 'interactionCounter'],
  ['a refused result has a reason', rreq, { transStatusReason: undefined }, '201', 'transStatusReason'],
]

test.for(cases)('%s', ([, message, change, code, detail]) => {
  const to = message.messageType === 'AReq' ? {} : { to: browser }
  const isCurrency = (number: string) => number !== '955'
  expect(faultOf(JSON.stringify({ ...message, ...change }), { ...to, isCurrency })).toEqual({ code, detail })
})

test('without a list of currencies any three digits are one', () => {
  expect(faultOf(JSON.stringify({ ...browser, purchaseCurrency: '955' }))).toBeNull()
})

test('what no payment is needs neither amount nor proof, and what has no meaning in a channel is ignored', () => {
  const check = { ...browser, messageCategory: '02', purchaseAmount: undefined, mcc: undefined }
  expect(faultOf(JSON.stringify(check))).toBeNull()
  expect(
    faultOf(without(frictionless, 'authenticationValue'), { to: { ...browser, messageCategory: '02' } }),
  ).toBeNull()
  expect(faultOf(JSON.stringify({ ...requestorAreq(), browserColorDepth: 'many', threeDSCompInd: 1 }))).toBeNull()
  expect(faultOf(JSON.stringify({ ...browserAreq('2.1.0'), whiteListStatus: 7, whatever: 7 }))).toBeNull()
})

test('an Erro repeats of the message its ids and its type, and says whose it is', () => {
  const checked = checkMessage(without(browser, 'acctNumber'), { component: 'D' })
  expect(checked).toEqual({
    outcome: 'error',
    erro: {
      messageType: 'Erro',
      messageVersion: '2.2.0',
      errorCode: '201',
      errorComponent: 'D',
      errorDescription: errorDescriptions['201'],
      errorDetail: 'acctNumber',
      errorMessageType: 'AReq',
      threeDSServerTransID: browser['threeDSServerTransID'],
    },
  })
})

test('every Erro is a good message itself, whatever it is about', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false }), fc.string(), (value, name) => {
      const checked = checkMessage(JSON.stringify({ ...browser, messageVersion: value, [name]: value }) ?? '')
      if (checked.outcome === 'error') expect(faultOf(JSON.stringify(checked.erro))).toBeNull()
    }),
  )
})

test('only the messages that are expected at a point are read there', () => {
  expect(faultOf(JSON.stringify(cres), { types: ['RReq'] })).toEqual({ code: '101', detail: 'messageType' })
})
