import type { openOperator, Operator } from '@tillwright/platform'
import { answer, type OutputOptions } from './terminal/output.ts'

/** Where a command's database comes from, for its help. */
export const settingsHelp = `
Works directly on the platform's database, whether the platform is running or not. Run it with the platform's
settings: TILLWRIGHT_ENVIRONMENT, DATABASE_URL or TILLWRIGHT_HOME, TILLWRIGHT_VAULT_KEY,
TILLWRIGHT_SECRETS_KEY and the others.`

/** How to show a command's result, and whether it may initialize an empty database; otherwise it fails without one. */
export interface ResultOptions<Result> {
  show: (result: Result) => string
  open?: 'openOperator' | 'setUpOperator'
}

/** Runs an operator's command and prints its result. */
export async function operate<Result>(
  options: OutputOptions,
  work: (operator: Operator) => Promise<Result>,
  { show, open = 'openOperator' }: ResultOptions<Result>,
): Promise<void> {
  await answer(options, async () => workWith(await openPlatform(open), work), show)
}

/** Loads the platform, which only operator commands need. */
async function openPlatform(how: 'openOperator' | 'setUpOperator'): ReturnType<typeof openOperator> {
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
