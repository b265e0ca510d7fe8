import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Started, startProcess } from './start-process.ts'

/** How long the platform is left alone before its memory is read. */
const IDLE_MS = 3_000
const TRIES = 8

/** A start of the built product on SQLite, on a home that exists. */
export interface StartFigures {
  /** From the start of the process to its first answer: the best of all, which other work on the machine disturbs least. */
  startMs: number
  /** Processor time of all threads until then, the best of all. */
  cpuMs: number
  /** Resident memory at rest. */
  idleBytes: number
}

/** Starts it again and again. */
export async function measureStart(): Promise<StartFigures> {
  const { home, stop } = await startProcess('product', {})
  await stop()
  const starts: { startMs: number; cpuMs: number }[] = []
  for (let tried = 0; tried < TRIES; tried++) {
    const started = await startProcess('product', { home })
    starts.push({ startMs: started.startMs, cpuMs: await processorMs(started) })
    await started.stop()
  }
  const idle = await startProcess('product', { home })
  await delay(IDLE_MS)
  const status = await readFile(`/proc/${idle.pid}/status`, 'utf8')
  await idle.stop()
  return {
    startMs: Math.min(...starts.map(({ startMs }) => startMs)),
    cpuMs: Math.min(...starts.map(({ cpuMs }) => cpuMs)),
    idleBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024,
  }
}

/** The first number of a thread's `schedstat`: nanoseconds on a processor. */
async function processorMs({ pid }: Started): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const spent = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')))
  return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}
