import { contract, type Contract, type Operation } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { Command, Option } from 'commander'
import { kebab, several } from '../option-values.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { answer, csvOption, facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { showAmount } from '../terminal/show-amount.ts'
import { fieldsHelp } from './fields-help.ts'

/** The resources that have commands of their own, made from the contract. */
export type Resource = keyof Pick<
  Contract,
  | 'webhookEndpoints'
  | 'processors'
  | 'stores'
  | 'products'
  | 'variants'
  | 'prices'
  | 'promotions'
  | 'hooks'
  | 'customers'
  | 'erasures'
  | 'paymentFlows'
  | 'paymentInstruments'
  | 'payments'
  | 'orders'
  | 'refunds'
  | 'subscriptions'
  | 'disputes'
  | 'shippingOptions'
  | 'funnels'
  | 'refundLimits'
  | 'refundRequests'
  | 'threedsProviders'
  | 'members'
  | 'audit'
  | 'platform'
  | 'requests'
>

/**
 * The commands of a resource: one for each operation that the API offers to a secret key, so that a new operation is a
 * new command. Path parameters are arguments, query fields are options, as are switches of the body, and its other fields are given by
 * `--set`.
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
    .map(([name, operation]) => commandOf(resource, name, operation))
}

/** The command of one operation, for a group whose other commands are written by hand. */
export function operationCommand<Group extends Resource>(
  resource: Group,
  name: keyof Contract[Group] & string,
): Command {
  const operations: Readonly<Record<string, Operation>> = contract[resource]
  const operation = operations[name]
  if (operation === undefined) throw new Error(`There is no operation ${resource}.${name}.`)
  return commandOf(resource, name, operation)
}

type Options = OutputOptions &
  TargetOptions & { csv?: true; set?: readonly string[]; idempotencyKey?: string } & Record<string, unknown>

const keyHelp = 'the same key within 24 hours gives the first answer again, instead of doing it twice'

function commandOf(resource: Resource, name: string, operation: Operation): Command {
  const params = Object.keys(operation.params?.shape ?? {})
  const fields = Object.entries(operation.query?.shape ?? {})
  const command = withTarget(new Command(kebab(name))).description(operation.summary)
  for (const param of params) command.argument(`<${kebab(param)}>`, described(operation.params?.shape[param]))
  for (const [field, schema] of fields) command.addOption(new Option(`--${kebab(field)} <value>`, described(schema)))
  const switches = switchesOf(operation)
  for (const field of switches) command.option(`--${kebab(field)}`, `the same as --set ${field}=true`)
  if (operation.body) command.addOption(several(['--set <path=value>', 'a field of the body; may be repeated']))
  if (operation.idempotent !== undefined) command.option('--idempotency-key <key>', keyHelp)
  if (operation.list) command.addOption(csvOption('print all pages as CSV'))
  command.option(...jsonOption)
  const { body } = operation
  if (body) {
    command.addHelpText('after', () => fieldsHelp(body, command))
    command.addHelpText(
      'after',
      '\nA value is parsed as JSON where no text is wanted: --set amount=500 --set lines[0].quantity=2',
    )
    if (changedBy(operation) !== null) {
      command.addHelpText(
        'after',
        'Without --set revision=<number>, what is there now is changed, whoever has changed it before.',
      )
    }
  }
  return command.action((...given: unknown[]) => {
    // Commander passes the arguments, the options, and the command.
    const options = given[params.length] as Options
    const sent: Record<string, unknown> = Object.fromEntries(params.map((param, at) => [param, given[at]]))
    for (const field of switches) if (options[field] === true) sent[field] = true
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
  const { callOperation, printAnswer } = await import('./call-operation.ts')
  if (options.csv === true || (operation.streamed === true && options.json !== true))
    return printAnswer(operation, sent, options)
  const { set = [], idempotencyKey } = options
  return callOperation({ resource, name, sent, set, changes: changedBy(operation), idempotencyKey }, options)
}

/** The parameter that names what an operation changes, if it wants its revision; otherwise `null`. */
function changedBy({ body, params }: Operation): string | null {
  const [first = null] = Object.keys(params?.shape ?? {})
  return 'revision' in Object(Object(body).shape) ? first : null
}

/** A list as a table of what its entries have of `columns`; anything else as its values, then the lists in it. */
function show({ list }: Operation, result: unknown): string {
  if (Array.isArray(result)) return tableOf(entriesOf(result))
  if (!isObject(result)) return ''
  if (list === undefined) {
    const { receipt: _, ...others } = result
    const values = valuesOf(others)
    const { currency } = others
    const lists = Object.values(others).map((entries) => entriesOf(entries).map((entry) => ({ currency, ...entry })))
    const tables = lists.flatMap((entries) => (columnsOf(entries).length === 0 ? [] : [tableOf(entries)]))
    const parts = [...(values.length === 0 ? [] : [facts(values)]), ...tables]
    return parts.length === 0 ? 'None.\n' : parts.join('\n') + receipt(result)
  }
  const next = result['nextCursor']
  const more = typeof next === 'string' ? `There are more: --after ${next}\n` : ''
  const entries = entriesOf(result['data'])
  return entries.length === 0 && more !== '' ? more : `${tableOf(entries)}${more}`
}

function entriesOf(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function columnsOf(entries: readonly Readonly<Record<string, unknown>>[]): string[] {
  return columns.filter((name) => entries.some((entry) => isPrintable(valueOf(name, entry))))
}

function tableOf(entries: readonly Readonly<Record<string, unknown>>[]): string {
  if (entries.length === 0) return 'None.\n'
  const names = columnsOf(entries)
  return table(
    names,
    entries.map((entry) => names.map((name) => printed(name, entry))),
  )
}

/** Fields of a body that are false unless they are sent. */
function switchesOf({ body }: Operation): string[] {
  const fields: Readonly<Record<string, unknown>> = Object(Object(body).shape)
  return Object.entries(fields).flatMap(([name, schema]) => {
    const { type, innerType } = Object(Object(schema).def)
    return type === 'default' && Object(Object(innerType).def).type === 'boolean' ? [name] : []
  })
}

/** A table of the data that was erased of a customer, and of the data that was kept. */
function receipt({ receipt: kinds }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(kinds)) return ''
  const names = ['data', 'found', 'erased', 'fields', 'kept']
  const rows = kinds.filter(isObject).map(({ data, found, erased, isDeleted, fields, kept }) => {
    const gone = isDeleted === true ? 'the whole row' : Array.isArray(fields) ? fields.join(', ') : ''
    const stays = Array.isArray(kept) ? kept.flatMap((each) => Object(each).fields ?? []) : []
    return [String(data), String(found), String(erased), gone, stays.join(', ')]
  })
  return `\n${table(names, rows)}`
}

/** Columns of a list's table, in this order; an entry has those of its fields. */
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
  'card',
  'kind',
  'role',
  'operation',
  'actor',
  'resourceId',
  'paymentId',
  'url',
  'driver',
  'provider',
  'selected',
  'title',
  'createdAt',
]

function printed(name: string, entry: Readonly<Record<string, unknown>>): string {
  const { currency } = entry
  const value = valueOf(name, entry)
  if (name === 'amount' && typeof value === 'number' && typeof currency === 'string') return showAmount(value, currency)
  return isPrintable(value) ? String(value) : ''
}

/** Value of a column for an entry: the field of its name, or the part that identifies the object that is there. */
function valueOf(name: string, entry: Readonly<Record<string, unknown>>): unknown {
  const value = entry[name]
  if (!isObject(value)) return value
  if (name === 'card') return [value['brand'], value['last4']].filter(isPrintable).join(' ')
  return name === 'actor' ? (value['name'] ?? value['id']) : undefined
}

/** Values of an object and of the objects in it: `card.last4` beside `id`. */
function valuesOf(object: Readonly<Record<string, unknown>>, path = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (isObject(value)) return valuesOf(value, `${path}${name}.`)
    if (Array.isArray(value) && value.length > 0 && value.every(isPrintable)) return [[path + name, value.join(', ')]]
    return isPrintable(value) ? [[path + name, String(value)]] : []
  })
}

function isPrintable(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function described(schema: { description?: string | undefined } | undefined): string {
  return schema?.description ?? ''
}
