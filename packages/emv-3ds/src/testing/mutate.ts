import type { ErrorCode } from '../error-codes.ts'
import type { EmvMessage } from '../messages.ts'

/** A mutated message, and the code that must be reported. */
export interface Mutation {
  title: string
  text: string
  code: ErrorCode
  /** The field that the Erro must name; `null` if it names none. */
  field: string | null
}

/**
 * All mutations that need no knowledge of the fields: each field duplicated, of an invalid type, or empty; invalid
 * JSON; another type; an unsupported version; an unknown critical extension.
 */
export function mutations(message: EmvMessage, fields: readonly string[]): Mutation[] {
  const text = JSON.stringify(message)
  const whole: Mutation[] = [
    { title: 'cut short', text: text.slice(0, -1), code: '101', field: null },
    { title: 'in a list', text: `[${text}]`, code: '101', field: null },
    { title: 'without a valid type', text: written(message, 'messageType', 'AXXX'), code: '101', field: 'messageType' },
    { title: 'of version 2.0.0', text: written(message, 'messageVersion', '2.0.0'), code: '102', field: null },
    { title: 'of version 2', text: written(message, 'messageVersion', 2), code: '203', field: 'messageVersion' },
    { title: 'without a version', text: without(message, 'messageVersion'), code: '201', field: 'messageVersion' },
    {
      title: 'with a critical addition',
      text: written(message, 'messageExtension', [critical]),
      code: '202',
      field: 'X1',
    },
  ]
  const each = fields.flatMap((field): Mutation[] => [
    { title: `${field} twice`, text: twice(text, field, message[field]), code: '204', field },
    { title: `${field} null`, text: written(message, field, null), code: '203', field },
    { title: `${field} a number`, text: written(message, field, 7), code: '203', field },
    { title: `${field} empty`, text: written(message, field, ''), code: '203', field },
  ])
  return [...whole, ...each]
}

const critical = { name: 'x', id: 'X1', criticalityIndicator: true, data: {} }

/** @returns The message's text with a field set to another value. */
export function written(message: EmvMessage, field: string, value: unknown): string {
  return JSON.stringify({ ...message, [field]: value })
}

/** @returns The message's text without a field. */
export function without(message: EmvMessage, field: string): string {
  return JSON.stringify({ ...message, [field]: undefined })
}

function twice(text: string, field: string, value: unknown): string {
  return `{${JSON.stringify(field)}:${JSON.stringify(value)},${text.slice(1)}`
}
