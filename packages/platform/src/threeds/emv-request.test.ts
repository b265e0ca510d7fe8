import { type CallOf, contract, currencyNumber } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emvContext } from '../../test/threeds/emv-context.ts'
import { emvRequest } from './emv-request.ts'
import { requireUnexpired } from './provider.ts'

type Body = CallOf<typeof contract.threeds.authenticate>['body']

const request: Body = {
  sessionId: 'threeds_1',
  processorConfig: {
    merchantId: 'm-1',
    mcc: '0742',
    merchantName: 'Canvas & Co',
    merchantCountryCode: 'DE',
    acquirerBin: '445566',
    merchantUrl: 'https://merchant.example',
  },
  purchaseInfo: { amount: '000000001999', currency: 'KWD' },
  cardholderInfo: { name: 'Ada', email: 'ada@example.com' },
}
const write = (change: Partial<Body> = {}) =>
  emvRequest(contract.threeds.authenticate.body.parse({ ...request, ...change }), emvContext())

test('our formats become those of EMV 3DS', () => {
  expect(write()).toEqual({
    messageType: 'AReq',
    messageVersion: '2.2.0',
    deviceChannel: '02',
    messageCategory: '01',
    threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    threeDSServerRefNumber: 'TILLWRIGHT_UNAPPROVED_020200',
    threeDSServerURL: 'https://vault.example/v1/threeds/results',
    notificationURL: 'https://vault.example/v1/threeds/notify/8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    browserAcceptHeader: '*/*',
    browserJavascriptEnabled: false,
    browserLanguage: 'en',
    browserUserAgent: 'unknown',
    threeDSCompInd: 'U',
    threeDSRequestorID: 'acc_1',
    threeDSRequestorName: 'Canvas & Co',
    acctNumber: '4242424242424242',
    acquirerBIN: '445566',
    acquirerMerchantID: 'm-1',
    mcc: '0742',
    merchantName: 'Canvas & Co',
    merchantCountryCode: '276',
    threeDSRequestorURL: 'https://merchant.example',
    threeDSRequestorChallengeInd: '01',
    threeDSRequestorAuthenticationInd: '01',
    purchaseAmount: '1999',
    purchaseCurrency: '414',
    purchaseExponent: '3',
    purchaseDate: '20300102030405',
    cardholderName: 'Ada',
    email: 'ada@example.com',
    cardExpiryDate: '3103',
  })
})

test('a currency means the same by its code and by its number', () => {
  for (const currency of ['USD', 'JPY', 'KWD', 'ALL', 'XCG']) {
    const byCode = write({ purchaseInfo: { amount: '1', currency } })
    expect(write({ purchaseInfo: { amount: '1', currency: currencyNumber(currency) ?? '' } })).toEqual(byCode)
  }
})

test('any amount keeps its value and has no leading zeros', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(digits, (amount) => {
      const { purchaseAmount } = write({ purchaseInfo: { amount, currency: 'USD' } })
      expect(purchaseAmount).toMatch(/^(0|[1-9]\d{0,11})$/)
      expect(Number(purchaseAmount)).toBe(Number(amount))
    }),
  )
})

test.for([
  ['no-preference', '01'],
  ['no-challenge', '02'],
  ['challenge-requested', '03'],
  ['challenge-mandated', '04'],
  ['cartes-bancaires', '90'],
  ['05', '05'],
  ['09', '09'],
] as const)('the preference %s is %s', ([challengePreference, indicator]) => {
  expect(write({ challengePreference }).threeDSRequestorChallengeInd).toBe(indicator)
})

test.for([
  ['recurring-transaction', '02', '2030-01-02'],
  ['installment-transaction', '03', '20300102'],
] as const)('a %s says until when and how often', ([authenticationType, indicator, expiration]) => {
  const installments = authenticationType === 'installment-transaction' ? { installments: '12' } : {}
  const recurringInfo = { expiration, frequency: '30', ...installments }
  expect(write({ authenticationType, recurringInfo })).toMatchObject({
    threeDSRequestorAuthenticationInd: indicator,
    recurringExpiry: '20300102',
    recurringFrequency: '30',
  })
})

test.each(['2', '02', '999'])('an installment-transaction says how many installments: %s', (installments) => {
  const recurringInfo = { expiration: '2031-01-01', frequency: '30', installments }
  const written = write({ authenticationType: 'installment-transaction', recurringInfo })
  expect(written.purchaseInstalData).toBe(installments)
  const series = write({ authenticationType: 'recurring-transaction', recurringInfo })
  expect(series).not.toHaveProperty('purchaseInstalData')
})

test('a single payment is no series, whatever is sent with it', () => {
  const written = write({ recurringInfo: { expiration: '2031-01-01', frequency: '30' } })
  expect(written).not.toHaveProperty('recurringExpiry')
  expect(written).not.toHaveProperty('recurringFrequency')
})

test.each([
  ['Søren Łukasz Groß', 'Soren Lukasz Gross'],
  ['SØREN O’Brien-Müller', "SOREN O'Brien-Muller"],
  [`Æ${'y'.repeat(44)}`, `Ae${'y'.repeat(43)}`],
  ['王小明', undefined],
  ['Иван Иванов', undefined],
])('a bank is told the name %s in the characters that it may have, or none', (name, cardholderName) => {
  expect(write({ cardholderInfo: { name, email: 'ada@example.com' } }).cardholderName).toBe(cardholderName)
})

test('a series that was over yesterday is refused', () => {
  const { nowMs } = emvContext()
  expect(() => requireUnexpired({ expiration: '2030-01-02', frequency: '30' }, nowMs)).not.toThrow()
  expect(() => requireUnexpired({ expiration: '2030-01-01', frequency: '30' }, nowMs)).toThrow(
    expect.objectContaining({ code: 'parameter_invalid', details: { param: 'recurringInfo.expiration' } }),
  )
})

test.each([
  [0, {}],
  [1, { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00001' }],
  [30, { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00030' }],
])('a bank that asks the buyer elsewhere has %i minutes, or is not asked to', (decoupledMinutes, said) => {
  const message = emvRequest(contract.threeds.authenticate.body.parse(request), emvContext({ decoupledMinutes }))
  expect(Object.fromEntries(Object.entries(message).filter(([name]) => name.includes('Dec')))).toEqual(said)
})
