import { isIP } from 'node:net'
import { isList, isRecord, type EmvValue } from './messages.ts'

/** A flaw of a value. `path` leads to a nested field, such as `.cc` or `[0].data`; empty for the value itself. */
export interface Flaw {
  path: string
  /** `errorCode`. */
  code: '201' | '203' | '304'
}

/** Existing ISO codes. The package contains no such lists, because they change more often than the standard. */
export interface IsoCodes {
  /** @param number ISO 4217 numeric, such as `978`. */
  isCurrency: (number: string) => boolean
}

/** The format of a field: returns the flaws of a value, none if it is valid. */
export type Format = (value: EmvValue, codes: IsoCodes) => readonly Flaw[]

const good: readonly Flaw[] = []
const badFormat: readonly Flaw[] = [{ path: '', code: '203' }]

/** A string that matches the pattern. */
export function pattern(regexp: RegExp): Format {
  return string((value) => regexp.test(value))
}

/** A string of at least one character that passes the test: the standard has no empty fields. */
function string(passes: (value: string) => boolean): Format {
  return (value) => (typeof value === 'string' && value !== '' && passes(value) ? good : badFormat)
}

/** Any string of `min` to `max` characters. */
export function text(max: number, min = 1): Format {
  return string((value) => value.length <= max && value.length >= min)
}

/** A string of digits. */
export function digits(min: number, max = min): Format {
  return pattern(new RegExp(`^\\d{${min},${max}}$`))
}

/** One of these strings. */
export function oneOf(...values: readonly string[]): Format {
  return string((value) => values.includes(value))
}

/** A code of two digits: 01 to the last that the standard defines, or 80 to 99, which are reserved for payment systems. */
export function code(last: number): Format {
  return string((value) => isCode(value) && (isBetween(Number(value), 1, last) || Number(value) >= 80))
}

/** Whether a text is two digits, defined or not. */
export function isCode(value: string): boolean {
  return /^\d\d$/.test(value)
}

/** An integer within bounds, padded with zeros to `length` digits. */
export function numeral(length: number, { from, to }: { from: number; to: number }): Format {
  return string((value) => value.length === length && /^\d+$/.test(value) && isBetween(Number(value), from, to))
}

function isBetween(value: number, from: number, to: number): boolean {
  return value >= from && value <= to
}

export const flag: Format = (value) => (typeof value === 'boolean' ? good : badFormat)
export const onlyTrue: Format = (value) => (value === true ? good : badFormat)

/** Whether a value is a UUID in canonical form, of any version. Source: RFC 9562. */
export function isUuid(value: EmvValue | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)
}
export const uuid: Format = string(isUuid)

/** @param max Characters. */
export function url(max: number): Format {
  return string((value) => value.length <= max && /^https?:\/\//i.test(value) && URL.canParse(value))
}

export const ip: Format = string((value) => value.length <= 45 && isIP(value) !== 0)
/** An address with one @ between a local part and a domain. */
export const email: Format = string((value) => value.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(value))

/** ISO 3166-1 numeric: three digits. */
export const country: Format = digits(3)

/** ISO 4217 numeric: three digits (203) of a currency that exists (304). */
export const currency: Format = (value, { isCurrency }) => {
  if (typeof value !== 'string' || !/^\d{3}$/.test(value)) return badFormat
  return isCurrency(value) ? good : [{ path: '', code: '304' }]
}

/** A time in digits from the year on: `YYYYMMDD` (8), `YYYYMMDDHHMM` (12) or with seconds (14). */
export function time(length: 8 | 12 | 14): Format {
  return string((value) => value.length === length && /^\d+$/.test(value) && isTime(value))
}

function isTime(value: string): boolean {
  const [year, month, day, hour, minute, second] = `${value}000000`.match(/^\d{4}|\d\d/g) ?? []
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const parsed = new Date(iso)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString() === iso
}

/** Whether a text can be an `authenticationValue` (CAVV, AAV): 20 bytes in base64. */
function isAuthenticationValue(value: string): boolean {
  return /^(?=.{28}$)[A-Za-z0-9+/]{26,28}={0,2}$/.test(value)
}
export const authenticationValue: Format = string(isAuthenticationValue)
/** YYMM. */
export const expiry: Format = pattern(/^\d\d(?:0[1-9]|1[0-2])$/)
/** A signed object in compact form. Source: RFC 7515, 7.1. */
export const jws: Format = pattern(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/)

/** An array of 1 to `max` values of one format. */
export function list(item: Format, max: number): Format {
  return (value, codes) => {
    if (!isList(value) || value.length === 0 || value.length > max) return badFormat
    return value.flatMap((each, index) =>
      item(each, codes).map((flaw) => ({ ...flaw, path: `[${index}]${flaw.path}` })),
    )
  }
}

/** An object. Unknown fields are ignored, as the standard requires. */
export function object(
  fields: Readonly<Record<string, Format>>,
  { required = [], maxChars }: { required?: readonly string[]; maxChars?: number } = {},
): Format {
  return (value, codes) => {
    if (!isRecord(value)) return badFormat
    if (maxChars !== undefined && JSON.stringify(value).length > maxChars) return badFormat
    const missing = required.filter((name) => value[name] === undefined)
    const flaws = Object.entries(fields).flatMap(([name, format]) => {
      const inner = value[name]
      return inner === undefined ? [] : format(inner, codes).map((flaw) => ({ ...flaw, path: `.${name}${flaw.path}` }))
    })
    return [...missing.map((name) => ({ path: `.${name}`, code: '201' as const })), ...flaws]
  }
}

/** Any object of at most `maxChars` characters as JSON. */
export function anyObject(maxChars: number): Format {
  return object({}, { maxChars })
}

/** `homePhone`, `mobilePhone`, `workPhone`. Source: ITU-T E.164. */
export const phone: Format = object({ cc: digits(1, 3), subscriber: digits(1, 15) }, { required: ['cc', 'subscriber'] })

/** `acctInfo`. */
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

/** `merchantRiskIndicator`. */
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

/**
 * `threeDSRequestorAuthenticationInfo`.
 *
 * @param lastMethod The last `threeDSReqAuthMethod` that the version defines.
 */
export function requestorAuthentication(lastMethod: number): Format {
  return object({
    threeDSReqAuthData: text(20_000),
    threeDSReqAuthMethod: code(lastMethod),
    threeDSReqAuthTimestamp: time(12),
  })
}

/** `threeDSRequestorPriorAuthenticationInfo`. */
export const priorAuthentication: Format = object({
  threeDSReqPriorAuthData: text(2_048),
  threeDSReqPriorAuthMethod: code(4),
  threeDSReqPriorAuthTimestamp: time(12),
  threeDSReqPriorRef: text(36),
})

/** `deviceRenderOptions`. */
export const renderOptions: Format = object(
  { sdkInterface: oneOf('01', '02', '03'), sdkUiType: list(oneOf('01', '02', '03', '04', '05'), 5) },
  { required: ['sdkInterface', 'sdkUiType'] },
)

/** `acsRenderingType`. */
export const renderingType: Format = object(
  { acsInterface: oneOf('01', '02'), acsUiTemplate: oneOf('01', '02', '03', '04', '05') },
  { required: ['acsInterface', 'acsUiTemplate'] },
)

/** `sdkEphemPubKey`: a public JWK. */
export const ephemeralKey: Format = object(
  { kty: oneOf('EC'), crv: oneOf('P-256'), x: text(64), y: text(64) },
  { required: ['kty', 'crv', 'x', 'y'], maxChars: 256 },
)

/** `messageExtension`: at most ten, each with at most 8,059 characters of data. */
export const extensions: Format = list(
  object(
    { name: text(64), id: text(64), criticalityIndicator: flag, data: anyObject(8_059) },
    { required: ['name', 'id', 'criticalityIndicator', 'data'] },
  ),
  10,
)

/** A protocol version of a card range, which need not be one of `MESSAGE_VERSIONS`. */
export const version: Format = pattern(/^\d\.\d\.\d$/)

/** An element of `cardRangeData`. */
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
