import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { nextSeed } from '../../../.ci/test-seed.ts'
import type { DevEvent } from '../src/dev/index.ts'
import { openInspector } from './open-inspector.ts'

const program = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

/** `tillwright dev` in a process of its own. */
export interface DevProcess {
  url: string
  /** The output so far. */
  events: readonly DevEvent[]
  /** Waits until it has told that these files have changed, after so many events, and that all of it is applied. */
  applied: (paths: readonly string[], after: number) => Promise<void>
  /** The bytes that it holds after garbage collection. */
  measure: () => Promise<Holdings>
  stop: () => Promise<void>
}

/** The memory and files of a process. */
export interface Holdings {
  heapBytes: number
  /** `null` where the system does not tell. */
  open: { files: number; watches: number } | null
}

/** Starts it on a folder, with a platform of its own. */
export async function startDevProcess(folder: string): Promise<DevProcess> {
  const { TILLWRIGHT_HOME: _, ...env } = process.env
  const args = ['--inspect=127.0.0.1:0', program, 'dev', folder, '--json', '--port', '0']
  const child = spawn(process.execPath, args, {
    env: { ...env, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0', TILLWRIGHT_SEED: nextSeed() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const events: DevEvent[] = []
  let [rest, said] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) events.push(JSON.parse(line))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ready = await vi.waitFor(
    () => {
      const event = events.find(({ type }) => type === 'ready')
      if (event?.type !== 'ready')
        throw new Error(`The dev server is not ready, and has ended with ${child.exitCode}: ${said}`)
      return event
    },
    { timeout: 60_000, interval: 20 },
  )
  const inspector = await openInspector(/ws:\/\/\S+/.exec(said)?.[0] ?? '')
  return {
    url: ready.url,
    events,
    applied: (paths, after) =>
      vi.waitFor(() => checkApplied(events.slice(after), paths), { timeout: 60_000, interval: 5 }),
    measure: async () => ({ heapBytes: await inspector.heapBytes(), open: await openFiles(child.pid ?? 0) }),
    async stop() {
      inspector.close()
      child.kill('SIGTERM')
      await ended
    },
  }
}

function checkApplied(events: readonly DevEvent[], paths: readonly string[]): void {
  if (paths.length === 0) return
  const changed = new Set(events.flatMap((event) => (event.type === 'changed' ? event.files : [])))
  const missing = paths.filter((path) => !changed.has(path))
  const last = events.findLast(({ type }) => type === 'changed' || type === 'settled')
  if (missing.length > 0 || last?.type !== 'settled') throw new Error(`It has not applied ${missing.join(', ')}.`)
}

/** The open files of a process according to Linux; other systems have no such folder. */
async function openFiles(pid: number): Promise<Holdings['open']> {
  const folder = `/proc/${pid}/fdinfo`
  const names = await readdir(folder).catch(() => null)
  if (names === null) return null
  const infos = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8').catch(() => '')))
  return { files: names.length, watches: infos.join('\n').match(/^inotify wd:/gm)?.length ?? 0 }
}
