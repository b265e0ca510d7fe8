import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DevEvent } from '@tillwright/plugin-dev'
import { vi } from 'vitest'

const run = promisify(execFile)

/** A package manager that a newcomer may have. */
export type PackageManager = 'npm' | 'pnpm'

/** A developer who has Node and a package manager and nothing of ours, on a machine with an empty home. */
export interface Newcomer {
  /** Runs a command in a folder, and answers what it has printed. */
  run: (folder: string, words: readonly string[], settings?: Readonly<Record<string, string>>) => Promise<string>
  /** Starts the `tillwright` of a plugin, in its folder or another one, and leaves it running. */
  start: (plugin: string, words: readonly string[], folder?: string) => Running
  /** Starts any command in a folder, and leaves it running with what it has started. */
  leave: (folder: string, words: readonly string[]) => Running
}

/** A command that goes on. */
export interface Running {
  /** The events that it has printed as lines of JSON; fails where it has ended. */
  event: <Type extends DevEvent['type']>(type: Type) => Promise<Extract<DevEvent, { type: Type }>>
  printed: () => string
  stop: () => Promise<void>
}

/** How long a command may take to come to what is waited for. */
const PATIENCE_MS = 60_000

/**
 * @param home An empty folder. Packages come from where this machine gets them.
 * @param node The program that is `node` there.
 */
export async function arrive(home: string, node: string): Promise<Newcomer> {
  await mkdir(home, { recursive: true })
  await writeFile(join(home, '.npmrc'), usualSettings())
  const env = {
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    HOME: home,
    CI: '1', // no interactive prompts
    NO_COLOR: '1',
    NODE_USE_SYSTEM_CA: '1', // whom this machine trusts is trusted; Node 20 knows only the other variable
    ...(process.env['NODE_EXTRA_CA_CERTS'] && { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
    XDG_DATA_HOME: join(home, 'data'),
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
  }
  return {
    async run(folder, [program = '', ...args], settings = {}) {
      const { stdout } = await run(program, args, { cwd: folder, env: { ...env, ...settings }, maxBuffer: Infinity })
      return stdout
    },
    leave: (folder, [program = '', ...args]) => running(spawn(program, args, { cwd: folder, env, detached: true })),
    start: (plugin, words, folder = plugin) =>
      running(spawn(join(plugin, 'node_modules/.bin/tillwright'), words, { cwd: folder, env, detached: true })),
  }
}

function running(child: ChildProcess): Running {
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  // With what it has started, as Ctrl-C does; below zero it names all of a group.
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name)
  const kill = () => child.exitCode === null && signal('SIGKILL')
  process.on('exit', kill)
  const events = () => out.split('\n').flatMap((line): DevEvent[] => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return {
    event: (type) =>
      vi.waitFor(
        () => {
          const found = events().findLast((event) => event.type === type)
          if (found === undefined) throw new Error(`No ${type} yet: ${out}${err}`)
          return found as Extract<DevEvent, { type: typeof type }> // it has that type
        },
        { timeout: PATIENCE_MS, interval: 50 },
      ),
    printed: () => out + err,
    async stop() {
      if (child.exitCode === null) signal('SIGINT')
      await ended
      process.off('exit', kill)
    },
  }
}

/** Where this machine gets its packages from, and whom it trusts there, as lines of an `.npmrc`. */
function usualSettings(): string {
  const settings: Record<string, unknown> = JSON.parse(
    execFileSync('npm', ['config', 'ls', '--json'], { encoding: 'utf8' }),
  )
  const lines = ['registry', 'cafile'].map((name) => [name, settings[name]] as const)
  return lines.flatMap(([name, value]) => (typeof value === 'string' ? `${name}=${value}\n` : [])).join('')
}

/** The oldest Node that the README speaks of, where npm has it for this machine; otherwise the one that runs this. */
export async function oldNode(folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return process.execPath
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@20`], { cwd: folder })
  return join(folder, 'node_modules', name, 'bin/node')
}
