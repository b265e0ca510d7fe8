import { isCI } from 'std-env'
import { CommandFailed } from './fail-with.ts'

/** An option that stands for a yes, where a command asks. */
export interface ConfirmOptions {
  yes?: boolean
}

/** What `--yes` is called everywhere. */
export const yesOption = ['--yes', 'do not ask'] as const

/**
 * Asks whether to go on. Nobody is asked in CI or where no terminal is.
 *
 * @throws {CommandFailed} `unconfirmed`, after a no, and where nobody can be asked.
 */
export async function confirm(question: string, { yes }: ConfirmOptions): Promise<void> {
  if (yes === true) return
  if (!isInteractive()) throw new CommandFailed(`${question} Nobody is here to say yes: add --yes.`, 'unconfirmed')
  const { confirm: ask } = await import('@clack/prompts')
  const answer = await ask({ message: question, initialValue: false, output: process.stderr })
  if (answer !== true) throw new CommandFailed('Nothing was done.', 'unconfirmed')
}

/** Whether somebody is there to answer a question. */
export function isInteractive(): boolean {
  return !isCI && process.stdin.isTTY && process.stderr.isTTY
}

let asked: AbortController | null = null

/**
 * A signal that is aborted when somebody presses Ctrl-C: what is under way then ends as it should. A second time ends the
 * process at once.
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
