import { contract, currencyExponent, eventTypes, type Operation, scopes, testTokens } from '@tillwright/contract'
import { z } from 'zod'
import type { ConsoleOperation, FilterField } from './src/api/operations.ts'

/**
 * The part of the contract that the console needs in the browser, as plain values: the contract itself, with its schemas,
 * would be most of the console's bytes. It is computed when the console is built, so it is never out of date.
 */
export function contractTable(): Record<string, Record<string, ConsoleOperation>> {
  const groups = Object.entries<Record<string, Operation>>(contract).map(([group, operations]) => {
    const members = Object.entries(operations).filter(([, { audience }]) =>
      ['key', 'admin', 'console'].includes(audience),
    )
    return [group, Object.fromEntries(members.map(([name, operation]) => [name, entryOf(name, operation)]))] as const
  })
  return Object.fromEntries(groups.filter(([, operations]) => Object.keys(operations).length > 0))
}

function entryOf(name: string, { method, path, query, list, idempotent }: Operation): ConsoleOperation {
  if (query !== undefined && method !== 'GET') {
    throw new Error(`${name} has both a body and a query: the console's client puts all fields into the body.`)
  }
  const entry: ConsoleOperation = { method, path }
  if (idempotent !== undefined) entry.once = true
  if (query !== undefined && 'storeId' in query.shape) entry.ofStore = true
  if (list !== undefined && query !== undefined) entry.filters = filtersOf(query)
  return entry
}

/** Fields that are no filters: those of every list, and the one by which names of a page's objects are read. */
const general = ['limit', 'after', 'order', 'ids']

function filtersOf(query: z.ZodObject): Record<string, FilterField> {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).filter(([name]) => !general.includes(name))
  return Object.fromEntries(fields.map(([name, schema]) => [name, fieldOf(name, schema)]))
}

type JsonSchema = z.core.JSONSchema.JSONSchema | boolean

function fieldOf(name: string, schema: JsonSchema): FilterField {
  const { enum: values } = typeof schema === 'boolean' ? {} : schema
  if (name === 'q') return { type: 'search' }
  if (values !== undefined) return { type: 'choice', values: values.map(String) }
  if (/^(created|starts|ends|expires|nextPayment)?(From|Before|To)$/.test(name)) return { type: 'time' }
  if (name === 'amountFrom' || name === 'amountTo') return { type: 'amount' }
  if (name === 'currency') return { type: 'currency' }
  if (name === 'storeId') return { type: 'store' }
  if (isFlag(schema)) return { type: 'choice', values: ['true', 'false'] }
  return { type: name.endsWith('Id') ? 'id' : 'text' }
}

function isFlag(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false
  return (schema.anyOf ?? []).some((each) => typeof each === 'object' && each.type === 'boolean')
}

interface ContractNames {
  eventTypes: readonly string[]
  scopes: readonly string[]
  testTokens: readonly (readonly [token: string, effect: string])[]
}

/** The currencies that the platform takes, of those for which browsers have a sign. */
export function contractCurrencies(): string[] {
  return Intl.supportedValuesOf('currency').filter((code) => currencyExponent(code) !== null)
}

/** Names of the contract that pages offer to choose from. */
export function contractNames(): ContractNames {
  return { eventTypes: Object.keys(eventTypes), scopes: [...scopes], testTokens: Object.entries(testTokens) }
}
