import { contract, type Contract, type Operation } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { Command, Option } from 'commander'
import { several } from '../option-values.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { answer, facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { showAmount } from '../terminal/show-amount.ts'

/** The resources that have commands of their own, made from the contract. */
export type Resource = keyof Pick<
  Contract,
  | 'stores'
  | 'products'
  | 'promotions'
  | 'customers'
  | 'paymentInstruments'
  | 'payments'
  | 'orders'
  | 'subscriptions'
  | 'disputes'
>

/**
 * The commands of a resource: one for each operation that the API offers to a secret key, so that a new operation is a
 * new command. Path parameters are arguments, query fields are options, and fields of the body are given by `--set`.
 */
export function resourceCommand(resource: Resource): Command {
  const command = new Command(kebab(resource))
  for (const each of operationCommands(resource)) command.addCommand(each)
  return command
}

/** The commands of a resource, for a group that has others too. */
export function operationCommands(resource: Resource): Command[] {
  const operations = Object.entries<Operation>(contract[resource])
  return operations
    .filter(([, { audience }]) => audience === 'key' || audience === 'admin')
    .map(([name, operation]) => operationCommand(resource, name, operation))
}

type Options = OutputOptions & TargetOptions & { csv?: true; set?: readonly string[] } & Record<string, unknown>

function operationCommand(resource: Resource, name: string, operation: Operation): Command {
  const params = Object.keys(operation.params?.shape ?? {})
  const fields = Object.entries(operation.query?.shape ?? {})
  const command = withTarget(new Command(kebab(name))).description(operation.summary)
  for (const param of params) command.argument(`<${kebab(param)}>`, described(operation.params?.shape[param]))
  for (const [field, schema] of fields) command.addOption(new Option(`--${kebab(field)} <value>`, described(schema)))
  if (operation.body) command.addOption(several(['--set <path=value>', 'a field of the body; may be repeated']))
  if (operation.list) command.option('--csv', 'print all pages as CSV')
  command.option(...jsonOption)
  if (operation.body) {
    command.addHelpText('after', '\nA value is parsed as JSON if possible, otherwise it is text: --set amount=500')
  }
  return command.action((...given: unknown[]) => {
    // Commander passes the arguments, the options, and the command.
    const options = given[params.length] as Options
    const sent: Record<string, unknown> = Object.fromEntries(params.map((param, at) => [param, given[at]]))
    for (const [field] of fields) if (options[field] !== undefined) sent[field] = options[field]
    return answer(
      options,
      () => call(operation, { resource, name, sent, options }),
      (result) => show(operation, result),
    )
  })
}

interface Call {
  resource: Resource
  name: string
  sent: Record<string, unknown>
  options: Options
}

async function call(operation: Operation, { resource, name, sent, options }: Call): Promise<unknown> {
  const { callOperation, printCsv } = await import('./call-operation.ts')
  if (options.csv === true) return printCsv(operation, sent, options)
  return callOperation({ resource, name, sent, set: options.set ?? [] }, options)
}

/** A list as a table of what its entries have of `columns`; anything else as its single values. */
function show({ list }: Operation, result: unknown): string {
  if (!isObject(result)) return ''
  if (list === undefined) return facts(Object.entries(result).flatMap(([name, value]) => cell(name, value)))
  const entries = Array.isArray(result['data']) ? result['data'].filter(isObject) : []
  const next = result['nextCursor']
  const more = typeof next === 'string' ? `There are more: --after ${next}\n` : ''
  if (entries.length === 0) return more === '' ? 'None.\n' : more
  const names = columns.filter((name) => entries.some((entry) => isPrintable(entry[name])))
  const rows = entries.map((entry) => names.map((name) => printed(name, entry)))
  return `${table(names, rows)}${more}`
}

/** What a table shows of an entry, in this order. */
const columns = [
  'id',
  'status',
  'amount',
  'currency',
  'name',
  'code',
  'email',
  'firstName',
  'lastName',
  'kind',
  'createdAt',
]

function printed(name: string, entry: Readonly<Record<string, unknown>>): string {
  const { currency } = entry
  const value = entry[name]
  if (name === 'amount' && typeof value === 'number' && typeof currency === 'string') return showAmount(value, currency)
  return isPrintable(value) ? String(value) : ''
}

function cell(name: string, value: unknown): [string, string][] {
  return isPrintable(value) ? [[name, String(value)]] : []
}

function isPrintable(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function described(schema: { description?: string | undefined } | undefined): string {
  return schema?.description ?? ''
}

/** `paymentInstrumentId` as `payment-instrument-id`. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
