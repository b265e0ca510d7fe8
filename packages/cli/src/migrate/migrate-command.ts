import type { SchemaStatus } from '@tillwright/platform'
import { Command } from 'commander'
import { settingsHelp } from '../operate.ts'
import { answer, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface MigrateOptions extends OutputOptions {
  plan?: true
  status?: true
}

const help = `
Adds what this version needs, fills rows in small batches, and removes what no running process uses any more. A platform
does the same by itself unless TILLWRIGHT_MIGRATE is "manual". It waits for another process that is at it, and goes on
where one was cut off. An embedded database must not be in use by a platform.

While processes of an older version are running nothing is removed; run it again when they have been replaced.`

/** `tillwright migrate`: brings a database to the schema of this version. */
export const migrateCommand = new Command('migrate')
  .option('--plan', 'show the statements that would be run, and change nothing')
  .option('--status', 'show how far each step is, and change nothing')
  .option(...jsonOption)
  .addHelpText('after', `${help}\n${settingsHelp}`)
  .action(({ plan, status, ...options }: MigrateOptions) =>
    answer(options, () => run(plan === true || status === true), plan === true ? showPlan : showStatus),
  )

async function run(isLook: boolean): Promise<SchemaStatus> {
  const { manageSchema, readConfig } = await import('@tillwright/platform')
  const schema = await manageSchema(readConfig(process.env))
  try {
    return isLook ? await schema.status() : await schema.migrate({ info: say, error: say, fatal: say })
  } finally {
    await schema.close()
  }
}

function say(facts: object, message: string): void {
  const migration = 'migration' in facts ? `${String(facts.migration)}: ` : ''
  process.stderr.write(`${migration}${message}\n`)
}

function showPlan({ steps }: SchemaStatus): string {
  const left = steps.filter(({ state }) => state !== 'done')
  if (left.length === 0) return 'Nothing is to be done.\n'
  const lines = left.map(({ id, phase, statements }) => [`${id} (${phase})`, ...statements.map((sql) => `  ${sql}`)])
  return `${lines.flat().join('\n')}\n`
}

function showStatus({ engine, schema, oldest, steps, newer }: SchemaStatus): string {
  const rows = [
    ...steps.map(({ id, phase, state, rows: filled }) => [
      id,
      phase,
      state,
      phase === 'backfill' ? String(filled) : '',
    ]),
    ...newer.map((id) => [id, 'of a newer version', '', '']),
  ]
  const range = oldest === 0 ? 'every version may write' : `versions from schema ${oldest} on may write`
  return `${engine}: this version knows schema ${schema}; ${range}.\n${table(['step', 'phase', 'state', 'rows'], rows)}`
}
