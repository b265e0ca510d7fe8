import type { Audience, Operation } from '../operation.ts'

/** A request as the reference shows it. */
export interface SampleRequest {
  operationId: string
  operation: Operation
  /** The base address of the origin that serves the operation. */
  baseUrl: string
  /** Example values of the path's parameters and of the query's required ones. */
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  /** The example of the body; `undefined` without one. */
  body: unknown
}

/** The same request in every language of which there are samples, in the form of the extension `x-codeSamples`. */
export function codeSamples(request: SampleRequest): { lang: string; label: string; source: string }[] {
  const shell = { lang: 'shell', label: 'curl', source: curlSample(request) }
  if (!['key', 'admin'].includes(request.operation.audience) || request.operation.bytes) return [shell]
  return [shell, { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) }]
}

/** The shell variable with the credential of each audience. */
const credentials: Record<Audience, string> = {
  key: 'API_KEY',
  admin: 'API_KEY',
  frame: 'PUBLISHABLE_KEY',
  page: 'PUBLISHABLE_KEY',
  session: 'SESSION_TOKEN',
  console: 'CONSOLE_SESSION',
}

function curlSample({ operation, baseUrl, params, query, body }: SampleRequest): string {
  const { method, path, audience, bytes } = operation
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const url = `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`
  const isPlain = body === undefined && !bytes
  const lines = [
    `curl ${method === (isPlain ? 'GET' : 'POST') ? '' : `-X ${method} `}${search === '' ? url : `'${url}'`}`,
    ...(audience === 'console'
      ? ['-H "Tillwright-Console: 1"', `-b "__Host-tillwright_console=$${credentials.console}"`]
      : [`-H "Authorization: Bearer $${credentials[audience]}"`]),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(body)}'`]),
    ...(bytes ? ['-H "Content-Type: application/octet-stream"', '--data-binary @file'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** JSON between single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)
}

function typescriptSample({ operationId, baseUrl, params, query, body }: SampleRequest): string {
  const input = { ...Object(body), ...query, ...params }
  const sent = Object.keys(input).length === 0 ? '' : literal(input, '')
  return `import { createClient } from '@tillwright/client'

const tillwright = createClient({ apiKey: process.env.API_KEY ?? '', baseUrl: '${baseUrl}' })
const result = await tillwright.${operationId}(${sent})`
}

/** A value as TypeScript writes it: JSON with single quotes, and without quotes around names. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name, '')}: ${literal(item, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
