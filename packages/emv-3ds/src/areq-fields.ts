import {
  accountInformation,
  code,
  country,
  currency,
  digits,
  email,
  ephemeralKey,
  expiry,
  extensions,
  flag,
  ip,
  merchantRisk,
  numeral,
  oneOf,
  onlyTrue,
  pattern,
  phone,
  priorAuthentication,
  renderOptions,
  requestorAuthentication,
  text,
  time,
  url,
  uuid,
} from './formats.ts'
import {
  billAddrStatePresent,
  conditional,
  decoupledRequested,
  deviceInfoAbsent,
  instalments,
  javascriptEnabled,
  optional,
  payment,
  payTokenUsed,
  purchase,
  recurring,
  required,
  shipAddrStatePresent,
  whiteListStatusPresent,
  type Field,
  type Scope,
} from './presence.ts'

const APP: Scope = { channels: ['APP'] }
const BRW: Scope = { channels: ['BRW'] }
const THREE_RI: Scope = { channels: ['3RI'] }
const BUYER: Scope = { channels: ['APP', 'BRW'] }
const V210: Scope = { versions: ['2.1.0'] }
const V220: Scope = { versions: ['2.2.0'] }

/** Authentication request, from the 3DS Server through the DS to the ACS. Source: EMV 3DS 2.1.0 and 2.2.0, AReq. */
export const areqFields: readonly Field[] = [
  required('deviceChannel', code(3)),
  required('messageCategory', code(2)),
  required('threeDSServerTransID', uuid),
  optional('messageExtension', extensions),

  // 3DS Requestor and 3DS Server.
  required('threeDSRequestorID', text(35)),
  required('threeDSRequestorName', text(40)),
  required('threeDSRequestorURL', url(2_048)),
  required('threeDSServerRefNumber', text(32)),
  optional('threeDSServerOperatorID', text(32)),
  optional('threeDSServerURL', url(2_048)), // required by the standard, but a certified 3DS Server leaves it out
  required('threeDSRequestorAuthenticationInd', code(6), { ...BUYER, ...V210 }),
  required('threeDSRequestorAuthenticationInd', code(7), { ...BUYER, ...V220 }),
  optional('threeDSRequestorAuthenticationInfo', requestorAuthentication(6), { ...BUYER, ...V210 }),
  optional('threeDSRequestorAuthenticationInfo', requestorAuthentication(9), { ...BUYER, ...V220 }),
  optional('threeDSReqAuthMethodInd', code(3), { ...BUYER, ...V220 }),
  optional('threeDSRequestorChallengeInd', code(4), { ...BUYER, ...V210 }),
  optional('threeDSRequestorChallengeInd', code(9), V220),
  optional('threeDSRequestorPriorAuthenticationInfo', priorAuthentication),
  optional('threeDSRequestorDecReqInd', oneOf('Y', 'N'), V220),
  conditional('threeDSRequestorDecMaxTime', numeral(5, { from: 1, to: 10_080 }), { ...V220, when: decoupledRequested }),
  required('threeRIInd', code(5), { ...THREE_RI, ...V210 }),
  required('threeRIInd', code(12), { ...THREE_RI, ...V220 }),

  // Cardholder account and cardholder.
  required('acctNumber', digits(13, 19)),
  optional('acctType', code(3)),
  optional('acctID', text(64)),
  optional('acctInfo', accountInformation),
  optional('cardExpiryDate', expiry),
  optional('cardholderName', text(45, 2)),
  optional('email', email),
  optional('homePhone', phone),
  optional('mobilePhone', phone),
  optional('workPhone', phone),
  optional('payTokenInd', onlyTrue),
  conditional('payTokenSource', code(2), { ...V220, when: payTokenUsed }),
  optional('whiteListStatus', oneOf('Y', 'N', 'E', 'P', 'R', 'U'), V220),
  conditional('whiteListStatusSource', code(3), { ...V220, when: whiteListStatusPresent }),

  // Addresses.
  optional('addrMatch', oneOf('Y', 'N'), BUYER),
  ...address('bill', billAddrStatePresent),
  ...address('ship', shipAddrStatePresent),

  // Acquirer and merchant.
  conditional('acquirerBIN', text(11), { when: payment }),
  conditional('acquirerMerchantID', text(35), { when: payment }),
  conditional('mcc', digits(4), { when: payment }),
  conditional('merchantCountryCode', country, { when: payment }),
  conditional('merchantName', text(40), { when: payment }),
  optional('merchantRiskIndicator', merchantRisk),

  // Purchase.
  conditional('purchaseAmount', digits(1, 48), { when: purchase }),
  conditional('purchaseCurrency', currency, { when: purchase }),
  conditional('purchaseExponent', digits(1), { when: purchase }),
  conditional('purchaseDate', time(14), { when: purchase }),
  conditional('purchaseInstalData', pattern(/^0{0,2}[2-9]$|^0?[1-9]\d$|^[1-9]\d\d$/), { ...BUYER, when: instalments }),
  conditional('recurringExpiry', time(8), { when: recurring }),
  conditional('recurringFrequency', digits(1, 4), { when: recurring }),
  optional('transType', oneOf('01', '03', '10', '11', '28')),

  // The browser.
  required('browserAcceptHeader', text(2_048), BRW),
  required('browserUserAgent', text(2_048), BRW),
  required('browserLanguage', text(8), BRW),
  optional('browserIP', ip, BRW),
  required('browserJavascriptEnabled', flag, { ...BRW, ...V220 }),
  ...scripted('browserJavaEnabled', flag),
  ...scripted('browserColorDepth', oneOf('1', '4', '8', '15', '16', '24', '32', '48')),
  ...scripted('browserScreenHeight', digits(1, 6)),
  ...scripted('browserScreenWidth', digits(1, 6)),
  ...scripted('browserTZ', pattern(/^[+-]?\d{1,4}$/)),
  required('notificationURL', url(256), BRW),
  required('threeDSCompInd', oneOf('Y', 'N', 'U'), BRW),

  // The app.
  required('deviceRenderOptions', renderOptions, APP),
  required('sdkAppID', uuid, APP),
  required('sdkEphemPubKey', ephemeralKey, APP),
  required('sdkMaxTimeout', numeral(2, { from: 5, to: 99 }), APP),
  required('sdkReferenceNumber', text(32), APP),
  required('sdkTransID', uuid, APP),
  conditional('sdkEncData', text(64_000), { ...APP, when: deviceInfoAbsent }),
  optional('deviceInfo', text(64_000), APP),

  // Added by the DS on the way to the ACS.
  optional('dsReferenceNumber', text(32)),
  optional('dsTransID', uuid),
  optional('dsURL', url(2_048)),
]

function address(whose: 'bill' | 'ship', inState: typeof billAddrStatePresent): Field[] {
  return [
    optional(`${whose}AddrCity`, text(50)),
    conditional(`${whose}AddrCountry`, country, { when: inState }),
    optional(`${whose}AddrLine1`, text(50)),
    optional(`${whose}AddrLine2`, text(50)),
    optional(`${whose}AddrLine3`, text(50)),
    optional(`${whose}AddrPostCode`, text(16)),
    optional(`${whose}AddrState`, text(3)),
  ]
}

/**
 * Fields that only JavaScript can read: always required in 2.1.0, in 2.2.0 only for browsers with JavaScript enabled.
 */
function scripted(name: string, format: Field['format']): Field[] {
  return [
    required(name, format, { ...BRW, ...V210 }),
    conditional(name, format, { ...BRW, ...V220, when: javascriptEnabled }),
  ]
}
