import type { openOperator, Operator } from '@tillwright/platform'
import { answer, type OutputOptions } from './terminal/output.ts'

/** Where a command's database comes from, for its help. */
export const settingsHelp = `
It works on the platform's own database, while the platform runs and while it does not. Run it with the platform's
settings: TILLWRIGHT_ENVIRONMENT, DATABASE_URL or TILLWRIGHT_HOME, TILLWRIGHT_VAULT_KEY and the others.`

/** A command's answer for people, and whether it may set up an empty database: otherwise it fails without one. */
export interface Showing<Result> {
  show: (result: Result) => string
  open?: 'openOperator' | 'setUpOperator'
}

/** Does an operator's work and prints what came of it. */
export async function operate<Result>(
  options: OutputOptions,
  work: (operator: Operator) => Promise<Result>,
  { show, open = 'openOperator' }: Showing<Result>,
): Promise<void> {
  await answer(options, async () => workWith(await opened(open), work), show)
}

/** The platform is loaded by those commands alone that work on it. */
async function opened(how: 'openOperator' | 'setUpOperator'): ReturnType<typeof openOperator> {
  const platform = await import('@tillwright/platform')
  return platform[how](platform.readConfig(process.env))
}

async function workWith<Result>(operator: Operator, work: (operator: Operator) => Promise<Result>): Promise<Result> {
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}
