import { exampleOf, type Operation } from '@tillwright/contract'
import { type Case, casesOf } from './cases.ts'
import { sentSchema } from './operations.ts'
import type { SentParts } from './send-to.ts'

/** A part of a request that the contract has a schema for. */
export const requestParts = ['params', 'query', 'body'] as const
type Part = (typeof requestParts)[number]

/** A case with the whole request that carries it. */
export interface CaseRequest extends Case {
  request: SentParts
}

/** Every case of an operation that changes something: in its parameters, its query and its body. */
export function caseRequests(operation: Operation): CaseRequest[] {
  const good = goodParts(operation)
  return requestParts.flatMap((part) => {
    const schema = operation[part]
    if (schema === undefined) return []
    const all = casesOf(sentSchema(schema), (value) => schema.safeParse(value).success)
    const cases = all.filter(({ verdict }) => verdict !== 'refers')
    const sendable = part === 'body' ? cases : cases.filter((found) => fitsAddress(found, part))
    return sendable.map((found) => ({ ...found, request: { ...good, [part]: found.sent } }))
  })
}

/** In an address everything is text, nothing stands inside of anything, and an empty parameter is another address. */
function fitsAddress({ path, rule, verdict, sent }: Case, part: Part): boolean {
  if (path === '' || verdict === 'missing') return false
  const value: unknown = Reflect.get(Object(sent), path)
  if (value === '') return part === 'query' && !rule.startsWith('type')
  return !rule.startsWith('type') || typeof value === 'string'
}

function goodParts(operation: Operation): SentParts {
  const examples = requestParts.flatMap((part) => {
    const schema = operation[part]
    return schema === undefined ? [] : [[part, exampleOf(sentSchema(schema))] as const]
  })
  return Object.fromEntries(examples)
}
