import { readFile } from 'node:fs/promises'
import type { AuditHead, AuditVerdict } from '@tillwright/platform'
import { Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { operationCommand } from '../resources/resource-command.ts'
import { CommandFailed, exitCodes } from '../terminal/fail-with.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'

const verifyHelp = `
Finds entries that were removed, changed or put in, and seals that are missing, and names the first that does not fit.
Exit code 1 if there is one. A log that was cut off together with its end shows only against an end that was kept
elsewhere: keep what "tillwright audit heads --json" prints, or the lines "audit log sealed" of the platform's log.`

interface VerifyOptions extends OutputOptions {
  account?: string
  heads?: string
}

const verify = new Command('verify')
  .description('Prove that nobody has removed or changed an entry of the audit log')
  .option('--account <id>', 'the log of this account alone')
  .option('--heads <file>', 'ends of the log that were kept elsewhere, as "tillwright audit heads --json" printed them')
  .option(...jsonOption)
  .addHelpText('after', `${verifyHelp}\n${settingsHelp}`)
  .action(({ account, heads, ...output }: VerifyOptions) =>
    operate(
      output,
      async ({ audit }) => {
        const kept = heads === undefined ? {} : { heads: await readHeads(heads) }
        const verdicts = await audit.verify({ ...(account !== undefined && { account }), ...kept })
        if (verdicts.some(({ problems }) => problems.length > 0)) process.exitCode = exitCodes.failed
        return verdicts
      },
      { show: showVerdicts },
    ),
  )

async function readHeads(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null) return text
  throw new CommandFailed(
    `--heads: ${file} cannot be read; name a file of what "tillwright audit heads --json" printed.`,
  )
}

const heads = new Command('heads')
  .description('Show where each audit log ends, to be kept where nobody who writes to the database can change it')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((output: OutputOptions) => operate(output, ({ audit }) => audit.heads(), { show: showHeads }))

/** `tillwright audit`: who changed what, and whether that is still all of it. */
export const auditCommand = new Command('audit')
  .addCommand(operationCommand('audit', 'list'))
  .addCommand(verify)
  .addCommand(heads)

function showVerdicts(verdicts: readonly AuditVerdict[]): string {
  if (verdicts.length === 0) return 'There are no entries yet.\n'
  return verdicts.map(showVerdict).join('')
}

function showVerdict({ accountId, entries, unsealed, prunedUpTo, head, problems }: AuditVerdict): string {
  const waiting = unsealed === 0 ? '' : `, ${unsealed} not sealed yet`
  const pruned = prunedUpTo === 0 ? '' : `, begins after seal ${prunedUpTo}, up to which its time was over`
  const [first, ...others] = problems
  if (first === undefined) {
    return `${accountId}: whole. ${entries} entries in seals up to ${head.sequence}${waiting}${pruned}.\n`
  }
  const place = [
    ...(first.sequence === null ? [] : [`seal ${first.sequence}`]),
    ...(first.entryId === null ? [] : [`entry ${first.entryId}`]),
  ]
  const more = others.map(({ sequence, entryId, problem }) =>
    [`  also: ${problem}`, sequence === null ? '' : `, seal ${sequence}`, entryId === null ? '' : `, ${entryId}`].join(
      '',
    ),
  )
  const where = place.length === 0 ? '' : `, at ${place.join(', ')}`
  return [`${accountId}: NOT WHOLE. The first that does not fit${where}: ${first.problem}.`, ...more, ''].join('\n')
}

function showHeads(found: readonly AuditHead[]): string {
  if (found.length === 0) return 'Nothing is sealed yet.\n'
  return table(
    ['account', 'seal', 'hash'],
    found.map(({ accountId, sequence, hash }) => [accountId, String(sequence), hash]),
  )
}
