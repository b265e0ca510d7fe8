import type { Format } from './formats.ts'
import type { EmvValue, MessageVersion } from './messages.ts'

/** `deviceChannel`: app (01), browser (02), or a request of the merchant without the cardholder (3RI, 03). */
export type Channel = 'APP' | 'BRW' | '3RI'

/** `messageCategory`: payment (01) or non-payment (02). */
export type Category = 'PA' | 'NPA'

/**
 * The facts that determine the required fields of a message; `undefined` if neither it nor its request contains them.
 */
export interface Facts {
  message: Readonly<Record<string, EmvValue>>
  version: MessageVersion
  channel: Channel | undefined
  category: Category | undefined
}

/** A condition of inclusion: whether a field is required. */
export type Rule = (facts: Facts) => boolean

/** The channels and versions that a row of a table applies to, all by default. Elsewhere the field is ignored. */
export interface Scope {
  channels?: readonly Channel[]
  versions?: readonly MessageVersion[]
}

/** One row of a message's table. */
export interface Field extends Scope {
  /** The name in the standard, such as `threeDSServerTransID`. */
  name: string
  format: Format
  required: Rule
}

/** Message inclusion R: always required. */
export function required(name: string, format: Format, scope: Scope = {}): Field {
  return { name, format, required: () => true, ...scope }
}

/** Message inclusion O. */
export function optional(name: string, format: Format, scope: Scope = {}): Field {
  return { name, format, required: () => false, ...scope }
}

/** Message inclusion C: required if the rule applies, optional otherwise. */
export function conditional(name: string, format: Format, { when, ...scope }: Scope & { when: Rule }): Field {
  return { name, format, required: when, ...scope }
}

/** Whether a row applies to a message. While the channel is unknown, the rows of every channel do. */
export function applies({ channels, versions }: Field, { channel, version }: Facts): boolean {
  if (versions !== undefined && !versions.includes(version)) return false
  return channels === undefined || channel === undefined || channels.includes(channel)
}

/** Whether a row that applies requires its field. While the channel is unknown, rows of specific channels do not. */
export function requires(field: Field, facts: Facts): boolean {
  return (field.channels === undefined || facts.channel !== undefined) && field.required(facts)
}

const is =
  (name: string, ...values: readonly unknown[]): Rule =>
  ({ message }) =>
    values.includes(message[name])
const has =
  (name: string): Rule =>
  ({ message }) =>
    message[name] !== undefined

/** The conditions of inclusion of the tables. Source: EMV 3DS 2.2.0, message inclusion. */

export const payment: Rule = ({ category }) => category === 'PA'

/** A recurring or installment transaction, whether or not something is paid now. */
export const recurring: Rule = is('threeDSRequestorAuthenticationInd', '02', '03')
export const instalments: Rule = is('threeDSRequestorAuthenticationInd', '03')

/** A purchase, now or later. Version 2.1.0 has no payments without the cardholder. */
export const purchase: Rule = (facts) => {
  if (facts.channel === '3RI') return facts.version !== '2.1.0' && payment(facts)
  return payment(facts) || recurring(facts)
}

/** A browser with JavaScript, which can report its screen and time zone. */
export const javascriptEnabled: Rule = is('browserJavascriptEnabled', true)

export const billAddrStatePresent: Rule = has('billAddrState')
export const shipAddrStatePresent: Rule = has('shipAddrState')
export const payTokenUsed: Rule = is('payTokenInd', true)
export const decoupledRequested: Rule = is('threeDSRequestorDecReqInd', 'Y')
export const whiteListStatusPresent: Rule = has('whiteListStatus')

/**
 * The 3DS Server sends the data encrypted by the SDK (`sdkEncData`); the DS passes it on decrypted, as `deviceInfo`.
 */
export const deviceInfoAbsent: Rule = ({ message }) => message['deviceInfo'] === undefined

export const challenge: Rule = is('transStatus', 'C')
export const decoupled: Rule = is('transStatus', 'D')
/** A challenge, decoupled or not. */
export const cardholderAsked: Rule = is('transStatus', 'C', 'D')

/** A payment that was authenticated or attempted: it carries an `authenticationValue`. */
export const authenticated: Rule = (facts) => payment(facts) && is('transStatus', 'Y', 'A')(facts)
/** A payment that was refused: it carries a `transStatusReason`. */
export const notAuthenticated: Rule = (facts) => payment(facts) && is('transStatus', 'N', 'U', 'R')(facts)

/** A message of the app flow, which names its SDK. */
export const fromApp: Rule = has('sdkTransID')
export const notFromApp: Rule = (facts) => !fromApp(facts)
