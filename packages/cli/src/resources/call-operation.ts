import { once } from 'node:events'
import { type CallOptions, type Client, TillwrightError } from '@tillwright/client'
import { contract, errorBody, type Operation } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { setFields } from '../set-fields.ts'
import { connect } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'
import { harmless } from '../terminal/print.ts'

/** An operation by its names in the contract, with what is sent. */
interface NamedCall {
  resource: keyof Client
  name: string
  sent: Readonly<Record<string, unknown>>
  /** Fields of the body, as `path=value`. */
  set: readonly string[]
  /** The parameter that names what is changed, if its revision is to be sent. */
  changes: string | null
  /** Makes a repetition of the command the same work; a new one each time unless given. */
  idempotencyKey?: string | undefined
}

/**
 * Calls an operation with the client's method of the same name.
 *
 * @throws {CommandFailed} For a field that is not `path=value`.
 * @throws {TillwrightError} If the platform refuses it.
 */
export async function callOperation(
  { resource, name, sent, set, changes, idempotencyKey }: NamedCall,
  options: TargetOptions,
): Promise<unknown> {
  const operations: Readonly<Record<string, Operation>> = contract[resource]
  const fields = setFields(set, operations[name]?.body)
  const { client } = await connect(options)
  const revision = changes === null || 'revision' in fields ? {} : await currentRevision(changes, sent, client)
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  return callMethod(client, [resource, name], [{ ...fields, ...revision, ...sent }, key])
}

/** The client's methods are made of the same table as the commands; each takes one flat input. */
function callMethod(
  client: Client,
  [resource, name]: readonly [string, string],
  [input, options]: readonly [input: object, options: CallOptions],
): Promise<unknown> {
  const method: unknown = Reflect.get(Object(Reflect.get(client, resource)), name)
  if (typeof method !== 'function') throw new CommandFailed(`The client has no ${resource}.${name}.`)
  return method(input, { ...options, signal: interruption() })
}

/** The revision of what is changed, as the operation `get` of the same parameter has it. */
async function currentRevision(param: string, sent: NamedCall['sent'], client: Client): Promise<object> {
  const groups = Object.entries<Readonly<Record<string, Operation>>>(contract)
  const group = groups.find(([, { get }]) => Object.keys(get?.params?.shape ?? {}).join() === param)
  if (group === undefined) return {}
  const current = await callMethod(client, [group[0], 'get'], [{ [param]: sent[param] }, {}])
  return isObject(current) ? { revision: current['revision'] } : {}
}

/**
 * Prints an answer as it comes: all pages of a list as CSV, or what is too large for one piece.
 *
 * @throws {TillwrightError} If the platform refuses it.
 * @throws If it breaks off: what was printed is not the whole then.
 */
export async function printAnswer(
  operation: Operation,
  sent: Readonly<Record<string, unknown>>,
  options: TargetOptions,
): Promise<null> {
  const { target } = await connect(options)
  const accept = operation.list === undefined ? 'application/json' : 'text/csv'
  const headers = { Accept: accept, Authorization: `Bearer ${target.apiKey}` }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sent[name])))
  const fields = Object.entries(sent).filter(([name]) => !operation.path.includes(`{${name}}`))
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  const address = `${target.apiUrl}${path}?${query.toString()}`
  const response = await fetch(address, { headers, signal: interruption(), redirect: 'manual' })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    // A file or another program gets the bytes as they are.
    if (!process.stdout.write(process.stdout.isTTY ? harmless(text) : text)) await once(process.stdout, 'drain')
  }
  return null
}

async function refusalOf(response: Response): Promise<Error> {
  const { status } = response
  const refusal = errorBody.safeParse(await response.json().catch(() => null))
  if (!refusal.success) return new CommandFailed(`The platform answered ${status}.`)
  const { error, issues } = refusal.data
  return new TillwrightError(error.code, error.message, { ...error, issues, status })
}
