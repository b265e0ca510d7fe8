import { isUuid } from './formats.ts'
import { MESSAGE_VERSIONS, type EmvMessage, type EmvValue, type MessageVersion } from './messages.ts'

/** `errorCode` with its `errorDescription`. Source: EMV 3DS 2.2.0, errorCode. */
export const errorDescriptions = {
  '101': 'Message received invalid',
  '102': 'Message version number not supported',
  '103': 'Sent messages limit exceeded',
  '201': 'Required data element missing',
  '202': 'Critical message extension not recognised',
  '203': 'Format of one or more data elements is invalid',
  '204': 'Duplicate data element',
  '301': 'Transaction ID not recognised',
  '302': 'Data decryption failure',
  '303': 'Access denied, invalid endpoint',
  '304': 'ISO code invalid',
  '305': 'Transaction data not valid',
  '306': 'Merchant category code not valid for the payment system',
  '307': 'Serial number not valid',
  '402': 'Transaction timed out',
  '403': 'Transient system failure',
  '404': 'Permanent system failure',
  '405': 'System connection failure',
} as const

/** `errorCode`: three digits. */
export type ErrorCode = keyof typeof errorDescriptions

/** `errorComponent`: the component that reports an error, which is the 3DS Server (S), the DS (D), the ACS (A) or the SDK (C). */
export type ErrorComponent = 'S' | 'D' | 'A' | 'C'

/** An error to be reported by an Erro message. */
export interface ErrorReport {
  code: ErrorCode
  /** `errorDetail`: the names of the fields at fault, or a description. Cut to 2,048 characters. */
  detail: string
  component: ErrorComponent
  /** The refused message, as far as it could be read. */
  about: Readonly<Record<string, EmvValue>>
}

/** Source: EMV 3DS 2.2.0, errorDetail. */
const DETAIL_MAX_CHARS = 2_048
const NEWEST: MessageVersion = '2.2.0'

/** Writes an Erro message. It repeats only the type and the well-formed ids of the refused message. */
export function erroOf({ code, detail, component, about }: ErrorReport): EmvMessage {
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID'].filter((name) => isUuid(about[name]))
  const type = about['messageType']
  return {
    messageType: 'Erro',
    messageVersion: MESSAGE_VERSIONS.find((version) => version === about['messageVersion']) ?? NEWEST,
    errorCode: code,
    errorComponent: component,
    errorDescription: errorDescriptions[code],
    errorDetail: detail.slice(0, DETAIL_MAX_CHARS),
    ...(typeof type === 'string' && /^[A-Za-z]{4}$/.test(type) && { errorMessageType: type }),
    ...Object.fromEntries(ids.map((name) => [name, about[name] ?? null])),
  }
}
