import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { scratch } from './scratch.ts'

/** What a run of wrk came to. */
export interface Load {
  perSecond: number
  p99Ms: number
}

/** One kind of request, repeated. */
export interface LoadRequest {
  url: string
  headers?: Record<string, string>
  /** With a body the request is a POST, each with an `Idempotency-Key` of its own. */
  body?: string
}

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8)

/**
 * Loads a server from a process of its own with wrk (Debian: `apt-get install wrk`).
 *
 * @throws {Error} When a single answer was not a success: a figure made of errors is none.
 */
export async function wrk({ url, headers = {}, body }: LoadRequest): Promise<Load> {
  const script = join(scratch, 'load.lua')
  await writeFile(script, body === undefined ? '' : postEach(body))
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', '-s', script, ...flags, url]
  const { stdout } = await promisify(execFile)('wrk', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error
  })
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`Not every request succeeded:\n${stdout}`)
  return { perSecond: Number(perSecond), p99Ms: Number(p99) * ({ us: 0.001, ms: 1, s: 1_000 }[unit ?? 'ms'] ?? 1) }
}

function postEach(body: string): string {
  return `
local made, run = 0, os.time()
wrk.method = 'POST'
wrk.body = [=[${body}]=]
wrk.headers['Content-Type'] = 'application/json'
request = function()
  made = made + 1
  wrk.headers['Idempotency-Key'] = 'bench-' .. run .. '-' .. made
  return wrk.format()
end
`
}
