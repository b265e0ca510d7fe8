import { resolve } from 'node:path'
import {
  combineKeyShares,
  type EncryptionStatus,
  type Operator,
  readConfig,
  splitMasterKey,
} from '@tillwright/platform'
import { Argument, Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { several } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { answer, facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

type Ring = EncryptionStatus['ring']
type Rotated = Awaited<ReturnType<Operator['encryption']['rotate']>>

const ringArgument = () =>
  new Argument('<keys>', 'cards: card numbers; secrets: all other secrets, and signatures').choices([
    'cards',
    'secrets',
  ])

const rotateHelp = `
Without options: a new data key. Running processes have it within ten seconds and use it for what is new; they seal all
rows that are there again in the background, and destroy the former key eight days later. Nothing stops meanwhile.

The master key, which encrypts the data keys, is replaced in three steps, without touching a row:
  tillwright keys rotate cards --to file:/etc/tillwright/new.key    processes start with either key
  (restart the processes with the new TILLWRIGHT_VAULT_KEY, one after the other)
  tillwright keys rotate cards --finish                             they start with the new one alone`

export const rotateCommand = new Command('rotate')
  .description('Replace an encryption key while the platform runs')
  .addArgument(ringArgument())
  .option(
    '--to <setting>',
    'replace the master key by this one: file:..., shares:..., awskms:..., gcpkms:... or pkcs11:...',
  )
  .option('--finish', 'end the replacement: drop the former master key; with the settings of the new one')
  .option('--undo', 'take the replacement back: drop the new master key; with the settings of the former one')
  .option(...jsonOption)
  .addHelpText('after', `${rotateHelp}\n${settingsHelp}`)
  .action((ring: Ring, options: OutputOptions & { to?: string; finish?: true; undo?: true }) => {
    const { to, finish, undo } = options
    if ([to, finish, undo].filter((step) => step !== undefined).length > 1)
      throw new CommandFailed('--to begins a replacement, --finish ends it and --undo takes it back; use one.')
    return operate<Rotated>(
      options,
      ({ encryption }) => {
        if (to !== undefined) return encryption.replaceMaster(ring, to)
        if (undo === true) return encryption.undo(ring)
        return finish === true ? encryption.finish(ring) : encryption.rotate(ring)
      },
      { show: showRotated },
    )
  })

export const statusCommand = new Command('status')
  .description(
    'Show encryption keys: their ages, where master keys are, how often each was used, progress of a rotation',
  )
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions) =>
    operate(options, ({ encryption }) => encryption.status(), { show: (rings) => rings.map(showRing).join('\n') }),
  )

const splitHelp = `
Reads the key from the settings and writes a share for each custodian to a file of its own (mode 0600). All shares
together give the key; any fewer tell nothing of it. Start the platform with TILLWRIGHT_VAULT_KEY=shares:FILE,FILE.`

export const splitCommand = new Command('split')
  .description('Split a master key into shares for custodians')
  .addArgument(ringArgument())
  .addOption(several(['--into <file>', 'the file of one share; twice or more']).makeOptionMandatory(true))
  .option(...jsonOption)
  .addHelpText('after', splitHelp)
  .action((ring: Ring, options: OutputOptions & { into: string[] }) => {
    const into = options.into.map((path) => resolve(path))
    return answer(
      options,
      async () => ({ files: await splitMasterKey(readConfig(process.env), { ring, into }) }),
      ({ files }) =>
        `Each custodian takes one file, and deletes it here:\n${files.map((file) => `  ${file}\n`).join('')}`,
    )
  })

export const combineCommand = new Command('combine')
  .description('Put a master key together from the shares of its custodians')
  .addOption(several(['--share <file>', 'the file of one share; all are needed']).makeOptionMandatory(true))
  .requiredOption('--into <file>', 'the file for the key, which must not exist yet')
  .option(...jsonOption)
  .action((options: OutputOptions & { share: string[]; into: string }) => {
    const shares = options.share.map((path) => resolve(path))
    const into = resolve(options.into)
    return answer(
      options,
      async () => ({ file: await combineKeyShares(shares, into) }),
      ({ file }) => `The key is in ${file}; name it as file:${file}.\n`,
    )
  })

function showRotated({ ring, dataKey, masterKeys }: Rotated): string {
  const done =
    dataKey === null
      ? `The data keys of ${ring} are under ${masterKeys.length === 1 ? 'one master key' : 'two master keys'}:`
      : `Data key ${dataKey} of ${ring} takes over within ten seconds; "tillwright keys status" shows the rows that follow. Master key:`
  return `${done}\n${masterKeys.map((key) => `  ${key}\n`).join('')}`
}

function showRing({ ring, masterKeys, dataKeys, reseals, uses }: EncryptionStatus): string {
  const total = (version: number) =>
    uses.filter((use) => use.version === version).reduce((sum, use) => sum + use.total, 0)
  return [
    facts([
      ['keys of', ring],
      ...masterKeys.map(({ id, place, since }) => ['master key', `${id} (${place}), since ${since}`] as const),
      ...reseals.map(
        ({ place, version, resealed, isDone }) =>
          [
            place,
            `${isDone ? 'under' : 'being sealed under'} data key ${version}, ${resealed} rows sealed again`,
          ] as const,
      ),
    ]),
    table(
      ['data key', 'state', 'created', 'days', 'uses', 'destroyed from'],
      dataKeys.map((key) => [
        key.version === 0 ? 'MACs' : String(key.version),
        key.state,
        key.createdAt,
        String(key.ageDays),
        String(total(key.version)),
        key.destroyedFrom ?? '-',
      ]),
    ),
    ...(uses.length === 0
      ? []
      : [
          table(
            ['used for', 'operation', 'data key', 'times', 'last'],
            uses.map((use) => [use.purpose, use.operation, String(use.version), String(use.total), use.lastUsedAt]),
          ),
        ]),
  ].join('\n')
}
