import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadRequest } from '../wrk.ts'

/** Another back end of shops under measurement. */
export interface Peer {
  /** With its version. */
  name: string
  /** Fetches it, and makes its tables in an empty PostgreSQL database. */
  prepare(databaseUrl: string): Promise<void>
  /** Starts it on the tables that are there. */
  start(databaseUrl: string): Promise<RunningPeer>
}

/** A peer that answers. */
export interface RunningPeer {
  pid: number
  /** From the start of the process to its first answer. */
  startMs: number
  /** Makes a product, and reads one of those by its id; with what they need to be let in. */
  requests: () => Promise<{ create: LoadRequest; read: LoadRequest }>
  /** The number of products, as a check: GraphQL answers 200 whatever the outcome. */
  products: () => Promise<number>
  stop: () => Promise<void>
}

/** A process of a peer. */
export interface PeerProcess {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** Answers as soon as the peer does. */
  healthUrl: string
}

/** How long a peer may take to start on a busy machine. */
const START_MAX_MS = 180_000

/** Starts a peer with Node, and waits for its first answer. */
export async function startPeer({
  args,
  cwd,
  env,
  healthUrl,
}: PeerProcess): Promise<Omit<RunningPeer, 'requests' | 'products'>> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = lastWords(child)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(healthUrl))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said()}`)
    if (performance.now() - startedAt > START_MAX_MS) throw new Error(`${args.join(' ')} does not answer: ${said()}`)
    await delay(5)
  }
  return {
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    async stop() {
      kill()
      await exited
      process.off('exit', kill)
    },
  }
}

/** Returns the last 2,000 characters of a process's standard error. */
function lastWords({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.on('data', (chunk: Buffer) => (text = (text + String(chunk)).slice(-2_000)))
  return () => text
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Resident memory of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024
}
