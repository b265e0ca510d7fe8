import type { Readable, Writable } from 'node:stream'
import { login } from '../login/login.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/interaction.ts'
import { type Credentials, readCredentials } from '../target/credentials.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { findLocal, homeFor } from '../target/local.ts'
import { noPlatform, type Target, targetNames } from '../target/target.ts'

/** The options of a command that may start a platform of its own. */
export interface StartableOptions extends TargetOptions {
  start?: true
}

/** The platform that a command works with, as its options name it. */
export interface ReadyPlatform extends TargetOptions {
  /** Ends the platform that was started for the command; `null` if none was. */
  stop: (() => Promise<void>) | null
}

/**
 * The platform of a command that is about to change one. Where no local one runs and none was named, it is started with
 * `--start`; on a terminal the user is asked whether to start one, to use a login, or to log in. It runs until `stop`.
 *
 * @throws {CommandFailed} `usage`, if there is none, and no terminal to ask on.
 */
export async function readyPlatform(options: StartableOptions): Promise<ReadyPlatform> {
  const { target, url, start, pluginFolder } = options
  const isNamed = url !== undefined || (target !== undefined && target !== 'local')
  if (isNamed || (await findLocal(process.env, pluginFolder)) !== null) return { ...options, stop: null }
  if (start === true) return startHere(options)
  if (!isInteractive() || target === 'local') throw noPlatform()
  const credentials = await readCredentials()
  const choice = await askWhere(credentials, { input: process.stdin, output: process.stderr })
  if (choice === 'start') return startHere(options)
  if (choice !== 'login') return { ...options, target: choice, stop: null }
  return { ...options, target: await logIn(), stop: null }
}

async function startHere(options: StartableOptions): Promise<ReadyPlatform> {
  const { startOwnPlatform } = await import('../dev/find-dev-platform.ts')
  const home = await homeFor(options.pluginFolder ?? '.')
  const { file, stop } = await startOwnPlatform(home)
  process.stderr.write(`Started a local platform at ${file.apiUrl}, which keeps its data in ${home}.\n`)
  return { ...options, stop }
}

/** Where a terminal's user types, and reads. */
export interface Terminal {
  input: Readable
  output: Writable
}

/**
 * Asks for the platform of a command: a new local one, one with a login, or one to log in to.
 *
 * @throws {CommandFailed} After Ctrl-C.
 */
export async function askWhere(
  { targets }: Pick<Credentials, 'targets'>,
  terminal: Terminal,
): Promise<'start' | 'login' | Target['name']> {
  const { isCancel, select } = await import('@clack/prompts')
  const known = targetNames.filter((name) => name !== 'local' && targets[name] !== undefined)
  const answer = await select<'start' | 'login' | Target['name']>({
    message: 'No platform runs here. Where to?',
    options: [
      { value: 'start', label: 'Start a local platform', hint: 'it runs until Ctrl-C' },
      ...known.map((value) => ({ value, label: value, hint: targets[value] ?? '' })),
      { value: 'login', label: 'Log in to a platform' },
    ],
    ...terminal,
  })
  if (isCancel(answer)) throw new CommandFailed('Nothing was done.', 'interrupted')
  return answer
}

async function logIn(): Promise<Target['name']> {
  const { isCancel, select, text } = await import('@clack/prompts')
  const { stderr: output } = process
  const options = targetNames.filter((name) => name !== 'local').map((value) => ({ value, label: value }))
  const target = await select({ message: 'Its environment', options, output })
  if (isCancel(target)) throw new CommandFailed('Nothing was done.', 'interrupted')
  const url = await text({ message: 'Its address', placeholder: 'https://api.shop.example', output })
  if (isCancel(url)) throw new CommandFailed('Nothing was done.', 'interrupted')
  const store = await text({ message: 'The store to publish to', placeholder: 'store_...', output })
  if (isCancel(store)) throw new CommandFailed('Nothing was done.', 'interrupted')
  return (await login({ target, url, ...(store !== '' && { store }) })).target
}
