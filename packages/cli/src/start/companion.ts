import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { LocalFile } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'

/** A shop that runs next to the platform. */
export interface Companion {
  /** Resolves when the shop responds; rejects if it exits first or does not respond in time. */
  ready: Promise<void>
  /** Resolves with the exit code. */
  ended: Promise<number>
  stop: () => Promise<void>
}

/** How long a shop may take to respond. */
const READY_MS = 60_000
const ASK_EVERY_MS = 50
/** How long it may take to exit after it was asked to. */
const STOP_MS = 5_000

/** Runs a command with the platform's addresses and keys in its environment. */
export function startCompanion(
  command: readonly string[],
  { url, local }: { url: string; local: LocalFile },
): Companion {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...ownEnvironment(), ...shopEnvironment(url, local) },
  })
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 0))
  })
  return { ready: answers(url, { ended, name: command.join(' ') }), ended, stop: () => stop(child, ended) }
}

/** The environment without the platform's own settings, such as the vault's key, which the shop must not see. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TILLWRIGHT_|DATABASE_URL$)/.test(name)))
}

/** The variables that a shop needs, as in production. */
function shopEnvironment(url: string, local: LocalFile): Record<string, string> {
  return {
    PORT: new URL(url).port,
    TILLWRIGHT_API_URL: local.apiUrl,
    TILLWRIGHT_VAULT_URL: local.vaultUrl,
    TILLWRIGHT_API_KEY: local.apiKey,
    TILLWRIGHT_PUBLISHABLE_KEY: local.publishableKey,
    TILLWRIGHT_STORE_ID: local.storeId,
    TILLWRIGHT_PRODUCT_ID: local.productId,
    TILLWRIGHT_WEBHOOK_SECRET: local.webhookSecret,
  }
}

async function answers(url: string, { ended, name }: { ended: Promise<number>; name: string }): Promise<void> {
  const exit: { code: number | null } = { code: null }
  void ended.then((code) => (exit.code = code))
  for (let waited = 0; waited < READY_MS; waited += ASK_EVERY_MS) {
    if (exit.code !== null)
      throw new CommandFailed(`"${name}" exited with code ${exit.code} before it responded at ${url}.`)
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await delay(ASK_EVERY_MS)
  }
  throw new CommandFailed(`"${name}" did not respond at ${url} within ${READY_MS / 1_000} s; does it listen on PORT?`)
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(forced)
}
