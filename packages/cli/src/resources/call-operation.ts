import { once } from 'node:events'
import type { Client } from '@tillwright/client'
import type { Operation } from '@tillwright/contract'
import { setProperties } from '../events/event-actions.ts'
import { connect } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'

/** An operation by its names in the contract, with what is sent. */
interface NamedCall {
  resource: keyof Client
  name: string
  sent: Readonly<Record<string, unknown>>
  /** Fields of the body, as `path=value`. */
  set: readonly string[]
}

/**
 * Calls an operation with the client's method of the same name.
 *
 * @throws {CommandFailed} For a field that is not `path=value`.
 * @throws {TillwrightError} If the platform refuses it.
 */
export async function callOperation(
  { resource, name, sent, set }: NamedCall,
  options: TargetOptions,
): Promise<unknown> {
  const fields = setProperties(set)
  const { client } = await connect(options)
  // Made of the same table as the client's methods, each of which takes one flat input.
  const methods = client[resource] as unknown as Record<string, Method>
  const method = methods[name]
  if (method === undefined) throw new CommandFailed(`The client has no ${resource}.${name}.`)
  return method({ ...fields, ...sent }, { signal: interruption() })
}

type Method = (input: object, options: { signal: AbortSignal }) => Promise<unknown>

/**
 * Prints all pages of a list as CSV, as they come.
 *
 * @throws {CommandFailed} If the platform refuses it, or breaks off: what was printed is not the whole then.
 */
export async function printCsv(
  operation: Operation,
  sent: Readonly<Record<string, unknown>>,
  options: TargetOptions,
): Promise<null> {
  const { target } = await connect(options)
  const query = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)]))
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${target.apiKey}` }
  const address = `${target.apiUrl}${operation.path}?${query.toString()}`
  const response = await fetch(address, { headers, signal: interruption(), redirect: 'manual' })
  if (!response.ok || response.body === null) throw new CommandFailed(await reasonOf(response))
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
  return null
}

async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  return String(Object(Object(body).error).message ?? `The platform answered ${response.status}.`)
}
