import { openOperator, readConfig, type Operator } from '@tillwright/platform'
import { failWith } from './fail-with.ts'

/** How a command's answer is wanted. */
export interface OutputOptions {
  json?: boolean
}

/** What `--json` is called everywhere. */
export const jsonOption = ['--json', 'print the answer as JSON, for programs'] as const

/** Where a command's database comes from, for its help. */
export const settingsHelp = `
It works on the platform's own database, while the platform runs and while it does not. Run it with the platform's
settings: TILLWRIGHT_ENVIRONMENT, DATABASE_URL or TILLWRIGHT_HOME, TILLWRIGHT_VAULT_KEY and the others.`

/** A command's answer for people, and how its database is opened: where there is none it fails, unless told otherwise. */
export interface Showing<Result> {
  show: (result: Result) => string
  open?: typeof openOperator
}

/** Does an operator's work and prints what came of it: JSON or text on the standard output, errors on the other. */
export async function operate<Result>(
  { json }: OutputOptions,
  work: (operator: Operator) => Promise<Result>,
  { show, open = openOperator }: Showing<Result>,
): Promise<void> {
  try {
    const result = await workWith(await open(readConfig(process.env)), work)
    process.stdout.write(json === true ? `${JSON.stringify(result, null, 2)}\n` : show(result))
  } catch (error) {
    failWith(error)
  }
}

async function workWith<Result>(operator: Operator, work: (operator: Operator) => Promise<Result>): Promise<Result> {
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}
