import { errorDescriptions, type ErrorCode, type ErrorComponent } from './error-codes.ts'
import { MESSAGE_VERSIONS, type EmvMessage, type EmvValue, type MessageVersion } from './emv-message.ts'
import { isUuid } from './formats.ts'

/** What an error message tells. `about` is the message that is refused, as far as it could be read. */
export interface ErrorReport {
  code: ErrorCode
  /** The names of the fields at fault, or what went wrong. */
  detail: string
  component: ErrorComponent
  about: Readonly<Record<string, EmvValue>>
}

/** The most of a detail that an Erro carries, in characters. Source: EMV 3DS 2.2.0, errorDetail. */
const DETAIL_MAX = 2_048
const newest: MessageVersion = '2.2.0'

/** Writes an Erro. Of the message it is about it repeats the ids that have the form of one, and nothing else. */
export function erroOf({ code, detail, component, about }: ErrorReport): EmvMessage {
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID'].filter((name) => isUuid(about[name]))
  const type = about['messageType']
  return {
    messageType: 'Erro',
    messageVersion: MESSAGE_VERSIONS.find((version) => version === about['messageVersion']) ?? newest,
    errorCode: code,
    errorComponent: component,
    errorDescription: errorDescriptions[code],
    errorDetail: detail.slice(0, DETAIL_MAX),
    ...(typeof type === 'string' && /^[A-Za-z]{4}$/.test(type) && { errorMessageType: type }),
    ...Object.fromEntries(ids.map((name) => [name, about[name] ?? null])),
  }
}
