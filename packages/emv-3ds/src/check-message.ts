import { findJsonAmbiguity } from './json-ambiguity.ts'
import {
  MESSAGE_TYPES,
  MESSAGE_VERSIONS,
  isList,
  isRecord,
  type EmvMessage,
  type EmvValue,
  type MessageType,
  type MessageVersion,
} from './messages.ts'
import { erroOf, type ErrorCode, type ErrorComponent } from './error-codes.ts'
import { messageTables } from './fields.ts'
import { applies, requires, type Category, type Channel, type Facts, type Field } from './presence.ts'
import type { Flaw, IsoCodes } from './formats.ts'

/** The receiver's knowledge before it reads a message. */
export interface Expected {
  /** `errorComponent` of an Erro: the component that checks the message. The 3DS Server (`S`) by default. */
  component?: ErrorComponent
  /** The message types that may arrive at this point; any by default. */
  types?: readonly MessageType[]
  /**
   * The request that this message responds to. It determines which fields the response must have, and their ids must
   * match.
   */
  to?: EmvMessage
  /**
   * Whether a number is an ISO 4217 currency, for error 304 about `purchaseCurrency`. By default any three digits are:
   * the package contains no list of currencies.
   */
  isCurrency?: IsoCodes['isCurrency']
}

/** A valid message, or the Erro to answer it with. */
export type CheckedMessage = { outcome: 'valid'; message: EmvMessage } | { outcome: 'error'; erro: EmvMessage }

/** Levels of nesting: more than any message needs, with room for the data of extensions. */
const MAX_DEPTH = 16

/**
 * Parses and checks a message of EMV 3DS 2.1.0 or 2.2.0, to be sent or received. If there are several errors, the one
 * with the lowest code is reported; its `errorDetail` names all fields concerned.
 *
 * @param text The message as JSON. Text that two parsers could read differently (a duplicate field, a number that a
 *   double cannot represent) is refused.
 */
export function checkMessage(text: string, expected: Expected = {}): CheckedMessage {
  const about = parse(text)
  const fault = about === null ? notJson : faultOf(text, about, expected)
  if (fault === null) return { outcome: 'valid', message: about as EmvMessage } // its type and version were checked
  return { outcome: 'error', erro: erroOf({ component: expected.component ?? 'S', about: about ?? {}, ...fault }) }
}

interface Fault {
  code: ErrorCode
  detail: string
}

type Fields = Readonly<Record<string, EmvValue>>

const notJson: Fault = { code: '101', detail: 'The message is not a JSON object.' }

function parse(text: string): Fields | null {
  try {
    const value: EmvValue = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function faultOf(text: string, message: Fields, expected: Expected): Fault | null {
  const { messageType, messageVersion } = message
  const ambiguity = findJsonAmbiguity(text, { maxDepth: MAX_DEPTH })
  if (ambiguity?.kind === 'repeated_name') return { code: '204', detail: ambiguity.name }
  if (ambiguity !== null) return { code: '101', detail: 'The message is JSON that could be read in several ways.' }
  const type = (expected.types ?? MESSAGE_TYPES).find((known) => known === messageType)
  if (type === undefined) return { code: '101', detail: 'messageType' }
  if (messageVersion === undefined) return { code: '201', detail: 'messageVersion' }
  if (typeof messageVersion !== 'string' || !/^\d\.\d\.\d$/.test(messageVersion)) {
    return { code: '203', detail: 'messageVersion' }
  }
  const version = MESSAGE_VERSIONS.find((known) => known === messageVersion)
  if (version === undefined) return { code: '102', detail: MESSAGE_VERSIONS.join(',') }
  return contentFault(message, { type, version, to: expected.to, isCurrency: expected.isCurrency ?? (() => true) })
}

function contentFault(
  message: Fields,
  {
    type,
    version,
    to,
    ...codes
  }: IsoCodes & { type: MessageType; version: MessageVersion; to: EmvMessage | undefined },
): Fault | null {
  const critical = criticalExtensions(message)
  if (critical.length > 0) return { code: '202', detail: critical.join(',') }
  const facts = factsOf(message, version, to)
  const rows = messageTables[type].filter((row) => applies(row, facts))
  const flaws = [...missing(rows, facts), ...rows.flatMap((row) => flawsOf(row, message, codes))]
  return faultOfFlaws(flaws) ?? (to === undefined ? null : mismatch(message, to))
}

/** The ids of critical extensions. None is supported. */
function criticalExtensions({ messageExtension }: Fields): string[] {
  if (!isList(messageExtension)) return []
  return messageExtension.filter(isRecord).flatMap(({ criticalityIndicator, id }) => {
    return criticalityIndicator === true ? [typeof id === 'string' ? id : 'messageExtension'] : []
  })
}

const channels = new Map<EmvValue, Channel>([
  ['01', 'APP'],
  ['02', 'BRW'],
  ['03', '3RI'],
])
const categories = new Map<EmvValue, Category>([
  ['01', 'PA'],
  ['02', 'NPA'],
])

function factsOf(message: Fields, version: MessageVersion, to: EmvMessage | undefined): Facts {
  const known = { ...to, ...message }
  return {
    message,
    version,
    channel: channels.get(known['deviceChannel'] ?? null),
    category: categories.get(known['messageCategory'] ?? null),
  }
}

function missing(rows: readonly Field[], facts: Facts): Flaw[] {
  const absent = rows.filter((row) => facts.message[row.name] === undefined && requires(row, facts))
  return absent.map(({ name }) => ({ path: name, code: '201' }))
}

function flawsOf({ name, format }: Field, message: Fields, codes: IsoCodes): Flaw[] {
  const value = message[name]
  return value === undefined ? [] : format(value, codes).map((flaw) => ({ ...flaw, path: name + flaw.path }))
}

function faultOfFlaws(flaws: readonly Flaw[]): Fault | null {
  const code = flaws.map((flaw) => flaw.code).toSorted()[0]
  if (code === undefined) return null
  const paths = flaws.filter((flaw) => flaw.code === code).map(({ path }) => path)
  return { code, detail: [...new Set(paths)].join(',') }
}

/** A response must repeat the ids of its request, if both have them. */
function mismatch(message: Fields, to: EmvMessage): Fault | null {
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID']
  const others = ids.filter((id) => message[id] !== undefined && to[id] !== undefined && message[id] !== to[id])
  return others.length === 0 ? null : { code: '301', detail: others.join(',') }
}
