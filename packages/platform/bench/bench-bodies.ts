import { hash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ASSETS_BODY_MAX_BYTES, contract } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { startProcess } from './start-process.ts'

const BODIES = 60
/** Threads without work have ended by then. */
const SETTLED_MS = 10_000

/** A platform's memory during and after many concurrent bodies of the largest size, in bytes above its idle memory. */
export interface BodiesFigures {
  peakBytes: number
  keptBytes: number
  /** How many of them were taken; the others were told to come again. */
  taken: number
}

/** Uploads sixty bodies of 37 MB at the same time to the built product, which has room on disk for all. */
export async function benchBodies(): Promise<BodiesFigures> {
  const { url, home, pid, stop } = await startProcess('product', { env: { TILLWRIGHT_BODY_DISK_MB: '4800' } })
  try {
    const { apiKey }: LocalFile = JSON.parse(await readFile(join(home, 'local.json'), 'utf8'))
    const upload = (body: Uint8Array) => post(url + contract.plugins.uploadAssets.path, apiKey, body)
    await upload(assetsOf(1_000)) // what is loaded once is there from here on
    const idle = await memoryBytes(pid, 'VmRSS')
    await writeFile(`/proc/${pid}/clear_refs`, '5') // forgets the highest so far
    const body = assetsOf(ASSETS_BODY_MAX_BYTES)
    const statuses = await Promise.all(Array.from({ length: BODIES }, () => upload(body)))
    const peakBytes = (await memoryBytes(pid, 'VmHWM')) - idle
    await delay(SETTLED_MS)
    const keptBytes = (await memoryBytes(pid, 'VmRSS')) - idle
    return { peakBytes, keptBytes, taken: statuses.filter((status) => status === 200).length }
  } finally {
    await stop()
  }
}

/** JSON of so many bytes: files of random bytes. */
function assetsOf(bytes: number): Uint8Array {
  const assets = Array.from({ length: 2 }, () => {
    const content = randomBytes(Math.floor(((bytes - 400) / 2) * 0.75))
    return { sha256: hash('sha256', content), size: content.length, content: content.toString('base64') }
  })
  return Buffer.from(JSON.stringify({ assets }))
}

/** @returns The status; 0 where the connection was cut off before it was read. */
function post(url: string, apiKey: string, body: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    }
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      resolve(response.statusCode ?? 0)
      response.resume().on('end', () => sent.destroy())
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

async function memoryBytes(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024
}
