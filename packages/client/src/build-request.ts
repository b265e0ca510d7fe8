import type { Operation } from '@tillwright/contract'
import { TillwrightError } from './tillwright-error.ts'

/** One call of the API, before any attempt to send it. */
export interface ApiRequest {
  method: Operation['method']
  /** With the query, from the leading slash on. */
  path: string
  /** JSON; `null` for an operation without a body. */
  body: string | null
  /** Whether the operation honours an `Idempotency-Key`. */
  idempotent: boolean
}

/**
 * Deals one flat input out to the operation's path, query and body.
 *
 * @throws {TillwrightError} `parameter_missing` or `parameter_invalid` for a path parameter that would make it the path
 *   of something else.
 */
export function buildRequest(operation: Operation, input: object): ApiRequest {
  const rest = new Map<string, unknown>(Object.entries(input))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, take(rest, name)))
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query?.shape ?? {})) {
    const value = take(rest, name)
    if (value === undefined || value === null) continue
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: operation.body ? JSON.stringify(Object.fromEntries(rest)) : null,
    idempotent: operation.idempotent !== undefined,
  }
}

function take(values: Map<string, unknown>, name: string): unknown {
  const value = values.get(name)
  values.delete(name)
  return value
}

function pathSegment(param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TillwrightError('parameter_missing', `\`${param}\` must be given as a string that is not empty.`, {
      param,
    })
  }
  // URL parsers resolve these even when they are percent-encoded.
  if (value === '.' || value === '..') {
    throw new TillwrightError('parameter_invalid', `\`${param}\` cannot be "${value}".`, { param })
  }
  return encodeURIComponent(value)
}
