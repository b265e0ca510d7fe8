import type { EmvValue, MessageVersion } from './emv-message.ts'
import type { Format } from './formats.ts'

/** How the buyer shops: in an app (01), in a browser (02), or not at all, when the merchant asks alone (3RI, 03). */
export type Channel = 'APP' | 'BRW' | '3RI'

/** A payment (01) or none (02). */
export type Category = 'PA' | 'NPA'

/** What decides which fields a message must have. What neither the message nor its receiver tells is `undefined`. */
export interface Facts {
  message: Readonly<Record<string, EmvValue>>
  version: MessageVersion
  channel: Channel | undefined
  category: Category | undefined
}

/** When a field is required. */
export type Rule = (facts: Facts) => boolean

/** Where a row of a table holds; everywhere unless it says so. Elsewhere the field has no meaning and is ignored. */
export interface Scope {
  channels?: readonly Channel[]
  versions?: readonly MessageVersion[]
}

/** One row of a message's table. */
export interface Field extends Scope {
  name: string
  format: Format
  required: Rule
}

/** A field without which the message is none. */
export function required(name: string, format: Format, scope: Scope = {}): Field {
  return { name, format, required: () => true, ...scope }
}

/** A field that may be left out. */
export function optional(name: string, format: Format, scope: Scope = {}): Field {
  return { name, format, required: () => false, ...scope }
}

/** A field that must be there when a rule says so, and may be otherwise. */
export function conditional(name: string, format: Format, { when, ...scope }: Scope & { when: Rule }): Field {
  return { name, format, required: when, ...scope }
}

/** Whether a row holds for a message. As long as the channel is not known, one of any channel may. */
export function holds({ channels, versions }: Field, { channel, version }: Facts): boolean {
  if (versions !== undefined && !versions.includes(version)) return false
  return channels === undefined || channel === undefined || channels.includes(channel)
}

/** Whether a row that holds demands its field; one of some channels demands nothing as long as the channel is not known. */
export function demands(field: Field, facts: Facts): boolean {
  return (field.channels === undefined || facts.channel !== undefined) && field.required(facts)
}
