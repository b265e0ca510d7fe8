import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkMessage, type Expected } from './check-message.ts'
import { MESSAGE_VERSIONS, requiredText, type EmvMessage } from './messages.ts'
import { errorDescriptions } from './error-codes.ts'
import { messageTables } from './fields.ts'
import { mutations, without, written } from './testing/mutate.ts'
import { appAreq, browserAreq, exchange, requestorAreq, vectors } from './vectors.ts'

/** The code and the detail of the Erro, or `null` for a valid message. */
function faultOf(text: string, expected?: Expected) {
  const checked = checkMessage(text, expected)
  if (checked.outcome === 'valid') return null
  return { code: checked.erro['errorCode'], detail: requiredText(checked.erro, 'errorDetail') }
}

describe.each(MESSAGE_VERSIONS)('EMV 3DS %s', (version) => {
  test('every vector of the tables is valid, alone and as the response to its request', () => {
    const { preq, pres, frictionless, challenge, rreq, rres, cres } = exchange(version)
    for (const message of vectors(version)) expect(faultOf(JSON.stringify(message)), message.messageType).toBeNull()
    for (const message of [frictionless, challenge, rreq, rres, cres]) {
      expect(faultOf(JSON.stringify(message), { to: browserAreq(version) }), message.messageType).toBeNull()
    }
    expect(faultOf(JSON.stringify(pres), { to: preq })).toBeNull()
  })

  test('any mutation of any field of any vector is detected with its code and its field', () => {
    for (const message of vectors(version)) {
      const fields = Object.keys(message).filter((name) => !['messageType', 'messageVersion'].includes(name))
      for (const { title, text, code, field } of mutations(message, fields)) {
        const fault = faultOf(text)
        expect(fault?.code, `${message.messageType} ${title}`).toBe(code)
        if (field !== null) expect(fault?.detail, title).toContain(field)
      }
    }
  })

  test('characters that no field allows are detected in every field', () => {
    const message = browserAreq(version)
    const bounded = messageTables.AReq.filter(({ name }) => typeof message[name] === 'string').map(({ name }) => name)
    fc.assert(
      fc.property(fc.constantFrom(...bounded), fc.integer({ min: 2_049, max: 4_000 }), (field, length) => {
        expect(faultOf(written(message, field, '~'.repeat(length)))).toEqual({ code: '203', detail: field })
      }),
    )
  })

  test('for any text, the check returns a result or an Erro and never throws', () => {
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
    'all missing fields are listed',
    browser,
    { mcc: undefined, email: 1, acquirerBIN: undefined },
    '201',
    'acquirerBIN,mcc',
  ],
  ['a payment has a merchant', browser, { merchantName: undefined }, '201', 'merchantName'],
  [
    'a recurring payment has an end, and an installment a count',
    browser,
    { threeDSRequestorAuthenticationInd: '03' },
    '201',
    'purchaseInstalData,recurringExpiry,recurringFrequency',
  ],
  ['a single installment is not allowed', browser, { purchaseInstalData: '01' }, '203', 'purchaseInstalData'],
  [
    'a browser with JavaScript has a colour depth',
    browser,
    { browserColorDepth: undefined },
    '201',
    'browserColorDepth',
  ],
  ['a colour depth is one of eight values', browser, { browserColorDepth: '30' }, '203', 'browserColorDepth'],
  ['a state needs a country', browser, { billAddrCountry: undefined }, '201', 'billAddrCountry'],
  ['a currency exists in ISO 4217', browser, { purchaseCurrency: '955' }, '304', 'purchaseCurrency'],
  ['a currency is numeric', browser, { purchaseCurrency: 'USD' }, '203', 'purchaseCurrency'],
  ['a date exists in the calendar', browser, { purchaseDate: '20300230030405' }, '203', 'purchaseDate'],
  [
    'a notification URL is a web address',
    browser,
    { notificationURL: 'javascript:alert(1)' },
    '203',
    'notificationURL',
  ],
  [
    'a notification URL has up to 256 characters',
    browser,
    { notificationURL: `https://a.example/${'a'.repeat(256)}` },
    '203',
    'notificationURL',
  ],
  ['a token has a source', browser, { payTokenInd: true }, '201', 'payTokenSource'],
  [
    'a decoupled request has a maximum time',
    browser,
    { threeDSRequestorDecReqInd: 'Y' },
    '201',
    'threeDSRequestorDecMaxTime',
  ],
  [
    'a decoupled request takes at most a week',
    browser,
    { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '10081' },
    '203',
    'threeDSRequestorDecMaxTime',
  ],
  [
    'a nested field is reported by its path',
    browser,
    { acctInfo: { chAccDate: '20230229' } },
    '203',
    'acctInfo.chAccDate',
  ],
  ['a phone number is complete', browser, { workPhone: { cc: '44' } }, '201', 'workPhone.subscriber'],
  [
    'an extension has data',
    browser,
    { messageExtension: [{ name: 'n', id: 'i', criticalityIndicator: false }] },
    '201',
    'messageExtension[0].data',
  ],
  [
    'there are at most ten extensions',
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
  ['an app identifies its SDK', appAreq(), { sdkTransID: undefined }, '201', 'sdkTransID'],
  ['an app sends device information', appAreq(), { sdkEncData: undefined }, '201', 'sdkEncData'],
  ['a 3RI request has an indicator', requestorAreq(), { threeRIInd: undefined }, '201', 'threeRIInd'],
  [
    'an authentication has its authentication value',
    frictionless,
    { authenticationValue: undefined },
    '201',
    'authenticationValue',
  ],
  ['an authentication value has 20 bytes', frictionless, { authenticationValue: 'MTIz' }, '203', 'authenticationValue'],
  ['a refusal has a reason', frictionless, { transStatus: 'N' }, '201', 'transStatusReason'],
  ['a challenge has a URL', challenge, { acsURL: undefined }, '201', 'acsURL'],
  ['a challenge URL is a web address', challenge, { acsURL: 'data:text/html,x' }, '203', 'acsURL'],
  ['a challenge has an authentication type', challenge, { authenticationType: undefined }, '201', 'authenticationType'],
  [
    'a response belongs to this request',
    frictionless,
    { threeDSServerTransID: challenge.acsTransID },
    '301',
    'threeDSServerTransID',
  ],
  ['a challenge window has one of five sizes', creq, { challengeWindowSize: '06' }, '203', 'challengeWindowSize'],
  ['a browser’s challenge ends with Y or N', cres, { transStatus: 'A' }, '203', 'transStatus'],
  ['a result has an interaction counter', rreq, { interactionCounter: undefined }, '201', 'interactionCounter'],
  ['a refused result has a reason', rreq, { transStatusReason: undefined }, '201', 'transStatusReason'],
]

test.for(cases)('%s', ([, message, change, code, detail]) => {
  const to = message.messageType === 'AReq' ? {} : { to: browser }
  const isCurrency = (number: string) => number !== '955'
  expect(faultOf(JSON.stringify({ ...message, ...change }), { ...to, isCurrency })).toEqual({ code, detail })
})

test('without a list of currencies, any three digits are accepted', () => {
  expect(faultOf(JSON.stringify({ ...browser, purchaseCurrency: '955' }))).toBeNull()
})

test('requirements of payments do not apply to other messages, and fields without meaning in a channel are ignored', () => {
  const check = { ...browser, messageCategory: '02', purchaseAmount: undefined, mcc: undefined }
  expect(faultOf(JSON.stringify(check))).toBeNull()
  expect(
    faultOf(without(frictionless, 'authenticationValue'), { to: { ...browser, messageCategory: '02' } }),
  ).toBeNull()
  expect(faultOf(JSON.stringify({ ...requestorAreq(), browserColorDepth: 'many', threeDSCompInd: 1 }))).toBeNull()
  expect(faultOf(JSON.stringify({ ...browserAreq('2.1.0'), whiteListStatus: 7, whatever: 7 }))).toBeNull()
})

test('an Erro repeats only the ids and the type of the message, and names the component', () => {
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

test('every Erro is a valid message itself, whatever it is about', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false }), fc.string(), (value, name) => {
      const checked = checkMessage(JSON.stringify({ ...browser, messageVersion: value, [name]: value }) ?? '')
      if (checked.outcome === 'error') expect(faultOf(JSON.stringify(checked.erro))).toBeNull()
    }),
  )
})

test('only expected message types are accepted', () => {
  expect(faultOf(JSON.stringify(cres), { types: ['RReq'] })).toEqual({ code: '101', detail: 'messageType' })
})
