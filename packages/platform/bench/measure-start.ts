import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess } from './start-process.ts'

/** How long the platform is left alone before its memory is read. */
const IDLE_MS = 3_000
const TRIES = 5

/** The median time from the start of the process to its first answer, on a home that exists; and its memory at rest. */
export async function measureStart(): Promise<{ startMs: number; idleBytes: number }> {
  const { home, stop } = await startProcess('platform', {})
  await stop()
  const times: number[] = []
  for (let tried = 0; tried < TRIES; tried++) {
    const started = await startProcess('platform', { home })
    times.push(started.startMs)
    await started.stop()
  }
  const startMs = times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)] ?? 0
  const idle = await startProcess('platform', { home })
  await delay(IDLE_MS)
  const status = await readFile(`/proc/${idle.pid}/status`, 'utf8')
  await idle.stop()
  return { startMs, idleBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024 }
}
