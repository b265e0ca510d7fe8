import { hash, randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ASSETS_BODY_MAX_BYTES, contract } from '@tillwright/contract'
import { expect, test, vi } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'

// A tenant, or several, with a program that uploads as many of the largest bodies as it can at the same time. All of them
// once took 37 MB of memory each, which the process kept.

const BODIES = soaks ? 60 : 12
/** Above what the process takes idle, at the highest. */
const PEAK_MB = 150
/**
 * The same some seconds later. Nothing of the bodies: what V8 and the allocator have grown to, which is no more after the
 * second sixty than after the first.
 */
const KEPT_MB = soaks ? 125 : 100

test.skipIf(process.platform !== 'linux')(
  `${BODIES} bodies of 37 MB at once take at most ${PEAK_MB} MB of memory, keep no other request waiting, and leave nothing behind`,
  async () => {
    // In a soak there is room for all of one account's, so that as many as possible are parsed and stored.
    const { local, home, watch, stop } = await startWatched({ TILLWRIGHT_BODY_DISK_MB: soaks ? '4800' : '300' })
    const upload = (body: Uint8Array) => post(local.apiUrl + contract.plugins.uploadAssets.path, local.apiKey, body)
    expect((await upload(assetsOf(1_000))).status).toBe(200) // what is loaded once is there from here on
    const idleMb = await memoryMb(local.pid, 'VmRSS')
    await writeFile(`/proc/${local.pid}/clear_refs`, '5') // forgets the highest so far

    const body = assetsOf(ASSETS_BODY_MAX_BYTES)
    expect(body.length).toBeGreaterThan(37_000_000)
    const { result: answers } = await watch(() => Promise.all(Array.from({ length: BODIES }, () => upload(body))))
    const peakMb = (await memoryMb(local.pid, 'VmHWM')) - idleMb
    const statuses = Object.groupBy(answers, ({ status }) => String(status))
    const counts = Object.entries(statuses).map(([status, all = []]) => `${all.length} x ${status}`)
    process.stdout.write(
      `${BODIES} bodies: ${counts.join(', ')}; ${Math.round(peakMb)} MB above ${Math.round(idleMb)}\n`,
    )
    expect(Object.keys(statuses).filter((status) => !['0', '200', '429', '503'].includes(status))).toEqual([])
    expect(statuses['200']?.length).toBeGreaterThan(0)
    for (const refused of answers.filter(({ status }) => status >= 400)) expect(refused.retryAfter).toMatch(/^\d$/)
    expect(peakMb).toBeLessThan(PEAK_MB)
    const folder = join(home, 'bodies')
    expect(await readdir(folder)).toEqual([])
    await vi.waitFor(async () => expect(await openFiles(local.pid, folder)).toEqual([]))
    const keptMb = async () => (await memoryMb(local.pid, 'VmRSS')) - idleMb
    await vi.waitFor(async () => expect(await keptMb()).toBeLessThan(KEPT_MB), { timeout: 15_000 })
    process.stdout.write(`${Math.round(await keptMb())} MB above idle afterwards\n`)
    expect((await stop()).longestMs).toBeLessThan(STALL_MS)
  },
)

/** JSON of so many bytes: files of random bytes. */
function assetsOf(bytes: number): Uint8Array {
  const assets = Array.from({ length: 2 }, () => {
    const content = randomBytes(Math.floor(((bytes - 400) / 2) * 0.75))
    return { sha256: hash('sha256', content), size: content.length, content: content.toString('base64') }
  })
  return Buffer.from(JSON.stringify({ assets }))
}

interface Refusal {
  /** 0 where the connection was cut off before the answer was read. */
  status: number
  retryAfter: string | undefined
}

/** Posts, and reads the answer even where it comes before all is sent. */
function post(url: string, apiKey: string, body: Uint8Array): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    }
    let isAnswered = false
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      isAnswered = true
      const { statusCode: status = 0, headers: received } = response
      void text(response)
        .catch(() => '')
        .then(() => sent.destroy())
      resolve({ status, retryAfter: received['retry-after'] })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered) return
      // Refused while it was sending, and too busy itself to read why before the other end had gone.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 0, retryAfter: undefined })
      else reject(error)
    })
    sent.end(body)
  })
}

async function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024
}

/** The files in a folder that a process has open, those without a name included. */
async function openFiles(pid: number, folder: string): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(folder))
}
