import { findJsonAmbiguity } from '../../../ambient/find-json-ambiguity.ts'
import {
  MESSAGE_TYPES,
  MESSAGE_VERSIONS,
  type EmvMessage,
  type EmvValue,
  type MessageType,
  type MessageVersion,
} from './emv-message.ts'
import { erroOf } from './erro-of.ts'
import type { ErrorCode, ErrorComponent } from './error-codes.ts'
import { demands, holds, type Category, type Channel, type Facts, type Field } from './field.ts'
import { isList, isRecord, type Flaw } from './formats.ts'
import { messageTables } from './message-tables.ts'

/** What the receiver of a message knows before it reads it. */
export interface Expected {
  /** Who reports what is wrong; the server unless it is said. */
  component?: ErrorComponent
  /** The messages that may come at this point; any unless they are named. */
  types?: readonly MessageType[]
  /** The message that this one answers. Which fields an answer must have depends on it, and its ids must be the same. */
  to?: EmvMessage
}

/** A message that keeps to its table, or the Erro that says why it does not. */
export type CheckedMessage = { outcome: 'valid'; message: EmvMessage } | { outcome: 'error'; erro: EmvMessage }

/** The levels of nesting that any message needs, with room for the data of extensions. */
const MAX_DEPTH = 16

/**
 * Reads and checks a message of EMV 3DS 2.1.0 or 2.2.0, sent or received. Of several things that are wrong one is
 * reported, in the order of the codes, with the names of all fields that have it.
 *
 * @param text JSON.
 */
export function checkMessage(text: string, expected: Expected = {}): CheckedMessage {
  const about = parse(text)
  const fault = about === null ? notJson : faultOf(text, about, expected)
  if (fault === null) return { outcome: 'valid', message: about as EmvMessage } // its type and version were looked at
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
  return contentFault(message, { type, version, to: expected.to })
}

function contentFault(
  message: Fields,
  { type, version, to }: { type: MessageType; version: MessageVersion; to: EmvMessage | undefined },
): Fault | null {
  const critical = criticalExtensions(message)
  if (critical.length > 0) return { code: '202', detail: critical.join(',') }
  const facts = factsOf(message, version, to)
  const rows = messageTables[type].filter((row) => holds(row, facts))
  const flaws = [...missing(rows, facts), ...rows.flatMap((row) => flawsOf(row, message))]
  return faultOfFlaws(flaws) ?? (to === undefined ? null : foreign(message, to))
}

/** The ids of the extensions that must be understood: none of them is. */
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
  const told = { ...to, ...message }
  return {
    message,
    version,
    channel: channels.get(told['deviceChannel'] ?? null),
    category: categories.get(told['messageCategory'] ?? null),
  }
}

function missing(rows: readonly Field[], facts: Facts): Flaw[] {
  const absent = rows.filter((row) => facts.message[row.name] === undefined && demands(row, facts))
  return absent.map(({ name }) => ({ path: name, code: '201' }))
}

function flawsOf({ name, format }: Field, message: Fields): Flaw[] {
  const value = message[name]
  return value === undefined ? [] : format(value).map((flaw) => ({ ...flaw, path: name + flaw.path }))
}

function faultOfFlaws(flaws: readonly Flaw[]): Fault | null {
  const code = flaws.map((flaw) => flaw.code).toSorted()[0]
  if (code === undefined) return null
  const paths = flaws.filter((flaw) => flaw.code === code).map(({ path }) => path)
  return { code, detail: [...new Set(paths)].join(',') }
}

/** An answer belongs to its question by every id that both have. */
function foreign(message: Fields, to: EmvMessage): Fault | null {
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID']
  const others = ids.filter((id) => message[id] !== undefined && to[id] !== undefined && message[id] !== to[id])
  return others.length === 0 ? null : { code: '301', detail: others.join(',') }
}
