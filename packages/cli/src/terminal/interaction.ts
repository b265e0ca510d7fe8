import { isCI } from 'std-env'
import { CommandFailed } from './fail-with.ts'

/** The option that confirms without a prompt. */
export interface ConfirmOptions {
  yes?: boolean
}

/** The `--yes` option of all commands. */
export const yesOption = ['--yes', 'do not ask'] as const

/**
 * Asks for confirmation. Never asks in CI or without a terminal.
 *
 * @throws {CommandFailed} `unconfirmed`, after a no, and if it cannot ask.
 */
export async function confirm(question: string, { yes }: ConfirmOptions): Promise<void> {
  if (yes === true) return
  if (!isInteractive())
    throw new CommandFailed(`${question} There is no terminal to confirm this on: add --yes.`, 'unconfirmed')
  const { confirm: ask } = await import('@clack/prompts')
  const answer = await ask({ message: question, initialValue: false, output: process.stderr })
  if (answer !== true) throw new CommandFailed('Nothing was done.', 'unconfirmed')
}

/** Whether there is a user to answer questions. */
export function isInteractive(): boolean {
  return !isCI && process.stdin.isTTY && process.stderr.isTTY
}

let asked: AbortController | null = null

/**
 * A signal that is aborted on Ctrl-C, so that work in progress ends properly. A second Ctrl-C ends the process at once.
 */
export function interruption(): AbortSignal {
  asked ??= listen()
  return asked.signal
}

function listen(): AbortController {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller
}
