import {
  code,
  digits,
  email,
  flag,
  list,
  object,
  oneOf,
  pattern,
  text,
  time,
  url,
  anyObject,
  type Format,
} from './formats.ts'

/** Objects that several rows hold. Source: EMV 3DS 2.2.0, the tables of the nested data elements. */

/** A number as dialled: country code and subscriber. Source: ITU-T E.164. */
export const phone: Format = object({ cc: digits(1, 3), subscriber: digits(1, 15) }, { required: ['cc', 'subscriber'] })

export const accountInformation: Format = object({
  chAccAgeInd: code(5),
  chAccChange: time(8),
  chAccChangeInd: code(4),
  chAccDate: time(8),
  chAccPwChange: time(8),
  chAccPwChangeInd: code(5),
  chAccReqID: text(64),
  nbPurchaseAccount: digits(1, 4),
  paymentAccAge: time(8),
  paymentAccInd: code(5),
  provisionAttemptsDay: digits(1, 3),
  shipAddressUsage: time(8),
  shipAddressUsageInd: code(4),
  shipNameIndicator: code(2),
  suspiciousAccActivity: code(2),
  txnActivityDay: digits(1, 3),
  txnActivityYear: digits(1, 3),
})

export const merchantRisk: Format = object({
  deliveryEmailAddress: email,
  deliveryTimeframe: code(4),
  giftCardAmount: digits(1, 15),
  giftCardCount: digits(2),
  giftCardCurr: digits(3),
  preOrderDate: time(8),
  preOrderPurchaseInd: code(2),
  reorderItemsInd: code(2),
  shipIndicator: code(7),
})

/** @param lastMethod The last way of authenticating that the version knows. */
export function requestorAuthentication(lastMethod: number): Format {
  return object({
    threeDSReqAuthData: text(20_000),
    threeDSReqAuthMethod: code(lastMethod),
    threeDSReqAuthTimestamp: time(12),
  })
}

export const priorAuthentication: Format = object({
  threeDSReqPriorAuthData: text(2_048),
  threeDSReqPriorAuthMethod: code(4),
  threeDSReqPriorAuthTimestamp: time(12),
  threeDSReqPriorRef: text(36),
})

export const renderOptions: Format = object(
  { sdkInterface: oneOf('01', '02', '03'), sdkUiType: list(oneOf('01', '02', '03', '04', '05'), 5) },
  { required: ['sdkInterface', 'sdkUiType'] },
)

export const renderingType: Format = object(
  { acsInterface: oneOf('01', '02'), acsUiTemplate: oneOf('01', '02', '03', '04', '05') },
  { required: ['acsInterface', 'acsUiTemplate'] },
)

export const ephemeralKey: Format = object(
  { kty: oneOf('EC'), crv: oneOf('P-256'), x: text(64), y: text(64) },
  { required: ['kty', 'crv', 'x', 'y'], maxChars: 256 },
)

/** Up to ten additions to a message, each with the characters that its data may have. */
export const extensions: Format = list(
  object(
    { name: text(64), id: text(64), criticalityIndicator: flag, data: anyObject(8_059) },
    { required: ['name', 'id', 'criticalityIndicator', 'data'] },
  ),
  10,
)

/** A version as the directory's ranges tell of it; one that is not spoken here is none the less a version. */
export const version: Format = pattern(/^\d\.\d\.\d$/)

export const cardRange: Format = object(
  {
    startRange: digits(13, 19),
    endRange: digits(13, 19),
    actionInd: oneOf('A', 'D', 'M'),
    acsStartProtocolVersion: version,
    acsEndProtocolVersion: version,
    dsStartProtocolVersion: version,
    dsEndProtocolVersion: version,
    threeDSMethodURL: url(256),
    acsInfoInd: list(code(4), 9),
  },
  { required: ['startRange', 'endRange', 'acsStartProtocolVersion', 'acsEndProtocolVersion'] },
)
