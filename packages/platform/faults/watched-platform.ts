import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import type { LocalFile } from '../src/local/start-local.ts'
import { newPlace } from './new-place.ts'
import { startProcess } from './platform-process.ts'

/** A platform in a process of its own whose main thread is watched. */
export interface WatchedPlatform {
  local: LocalFile
  home: string
  /** Does the work, while another client asks for `/healthz` every few milliseconds. */
  watch: <Result>(work: () => Promise<Result>) => Promise<{ result: Result; health: Latencies }>
  /**
   * Stops the platform.
   *
   * @returns The longest that its main thread was busy without a pause since it was first watched, in milliseconds of
   *   processor time.
   */
  stop: () => Promise<{ longestMs: number }>
}

/** How long answers took, in milliseconds. */
export interface Latencies {
  asked: number
  p50: number
  p99: number
  max: number
}

/**
 * How long the main thread may be busy without a pause: in processor time, which a busy machine prolongs by
 * half, and a slow one by as much as it is slow, twice at most. Half of it is what was measured.
 */
export const STALL_MS = 110 * Math.min(Math.max(slowness(), 1), 2)

/** How long a fixed piece of work takes here, as a share of the most that it takes a usual machine. */
function slowness(): number {
  const before = process.threadCpuUsage()
  for (let sum = 0, n = 0; n < 25_000_000; n += 1) sum += n
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 60_000
}

/** Starts a platform on an embedded database, without limits of rate. */
export async function startWatched(settings: Readonly<Record<string, string>> = {}): Promise<WatchedPlatform> {
  const place = await newPlace('sqlite')
  const report = join(place.home, 'main-thread')
  const { local, stop } = await startProcess(place, {
    preload: new URL('./watch-main-thread.ts', import.meta.url),
    settings: { MAIN_THREAD_REPORT: report, ...settings },
  })
  return {
    local,
    home: place.home,
    watch: async (work) => {
      process.kill(local.pid, 'SIGUSR2')
      while ((await readFile(report, 'utf8').catch(() => '')) !== 'watching') await fetch(`${local.apiUrl}/healthz`)
      const probe = startProbe(local.apiUrl)
      const result = await work()
      return { result, health: await probe() }
    },
    stop: async () => {
      const { code, output } = await stop()
      if (code !== 0) throw new Error(`The platform ended with ${code}:\n${output}`)
      const longestMs = Number(await readFile(report, 'utf8'))
      await rm(report)
      return { longestMs }
    },
  }
}

function startProbe(apiUrl: string): () => Promise<Latencies> {
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), { workerData: apiUrl, execArgv: [] })
  onTestFinished(async () => void (await probe.terminate()))
  return async () => {
    probe.postMessage('enough')
    const [took]: number[][] = await once(probe, 'message')
    return latencies(took ?? [])
  }
}

function latencies(took: readonly number[]): Latencies {
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { asked: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
