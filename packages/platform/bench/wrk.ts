import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { scratch } from './scratch.ts'

/** Results of a run of wrk. */
export interface Load {
  perSecond: number
  requests: number
  p99Ms: number
}

/** One kind of request, repeated. */
export interface LoadRequest {
  /** `{row}` in its path stands for a number from 1 to `rows`, drawn for each request. */
  url: string
  rows?: number
  headers?: Record<string, string>
  /** With a body the request is a POST, each with an `Idempotency-Key` of its own; `{n}` in it counts the requests. */
  body?: string
  /** For `{choice}` in the body, instead of `{n}`: one after the other, and again from the first. */
  choices?: readonly string[]
  /** A read by POST: `body` is sent as it is. */
  reads?: true
  /** How many requests are under way at a time: 32 unless given. */
  connections?: number
  /** For how long: `BENCH_SECONDS`, or 8, unless given. */
  seconds?: number
}

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8)
const WARM_UP_SECONDS = 3
/** Several may run at once, and no two may use one `Idempotency-Key`. */
let runs = 0

/**
 * Loads a server from a process of its own with wrk (Debian: `apt-get install wrk`).
 *
 * @throws {Error} When a single answer was not a success, or there was none: a figure made of errors is none.
 */
export async function wrk(request: LoadRequest): Promise<Load> {
  const { url, headers = {}, connections = CONNECTIONS, seconds = SECONDS } = request
  const script = join(scratch, `load-${++runs}.lua`)
  await writeFile(script, scriptOf(request))
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '30s',
    '-s',
    script,
    ...flags,
    url.replace('{row}', '1'),
  ]
  const { stdout } = await promisify(execFile)('wrk', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error
  })
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`Not every request succeeded:\n${stdout}`)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (requests === 0) throw new Error(`No request was answered within ${seconds} s`)
  return {
    perSecond: Number(perSecond),
    requests,
    p99Ms: Number(p99) * ({ us: 0.001, ms: 1, s: 1_000 }[unit ?? 'ms'] ?? 1),
  }
}

/** Loads a server until its code is compiled, its connections are open and its rows are cached: what a start takes is told by others. */
export async function warmUp(request: LoadRequest): Promise<void> {
  await wrk({ ...request, seconds: WARM_UP_SECONDS })
}

/** Results of a server that has been warmed up with the same requests. */
export async function wrkWhenWarm(request: LoadRequest): Promise<Load> {
  await warmUp(request)
  return wrk(request)
}

function scriptOf({ url, rows, body, choices, reads }: LoadRequest): string {
  if (body !== undefined && reads === true) {
    return `wrk.method = 'POST'\nwrk.body = [=[${body}]=]\nwrk.headers['Content-Type'] = 'application/json'`
  }
  if (body !== undefined) return postEach(body, choices)
  return url.includes('{row}') ? readAny(new URL(url).pathname, rows ?? 1) : ''
}

function readAny(path: string, rows: number): string {
  const [before, after] = path.split('%7Brow%7D')
  return `
math.randomseed(1)
request = function() return wrk.format(nil, '${before}' .. math.random(${rows}) .. '${after}') end
`
}

function postEach(body: string, choices: readonly string[] | undefined): string {
  const [before, after] = body.split(choices === undefined ? '{n}' : '{choice}')
  const chosen = choices?.map((choice) => `'${choice}'`).join(', ')
  return `
local made, run = 0, os.time() .. '-${runs}'
local before, after = [=[${before}]=], ${after === undefined ? 'nil' : `[=[${after}]=]`}
local choices = ${chosen === undefined ? 'nil' : `{ ${chosen} }`}
wrk.method = 'POST'
wrk.headers['Content-Type'] = 'application/json'
request = function()
  made = made + 1
  local counted = choices and choices[made % #choices + 1] or run .. '-' .. made
  wrk.body = after and before .. counted .. after or before
  wrk.headers['Idempotency-Key'] = 'bench-' .. run .. '-' .. made
  return wrk.format()
end
`
}
