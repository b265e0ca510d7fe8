import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalFile } from '@tillwright/platform'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** A running command, with its output so far. */
export interface Run {
  child: ChildProcess
  folder: string
  printed: () => { out: string; err: string }
  /** Resolves when the banner is shown. */
  ready: () => Promise<void>
  local: () => Promise<LocalFile>
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Runs `tillwright` in its own folder, unless `home` is given. It is deleted after the test. */
export async function tillwright(
  args: readonly string[],
  env: Record<string, string> = {},
  home?: string,
): Promise<Run> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'tillwright-')))
  const settings = { TILLWRIGHT_HOME: folder, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0', NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  const bannerShown = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (out.includes('Ctrl-C')) resolve()
    })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const over = () => Promise.reject(new Error(`It exited before it was ready: ${out}${err}`))
  return {
    child,
    folder,
    ended,
    printed: () => ({ out, err }),
    ready: () => Promise.race([bannerShown, ended.then(over)]),
    local: async () => JSON.parse(await readFile(join(folder, 'local.json'), 'utf8')),
  }
}
