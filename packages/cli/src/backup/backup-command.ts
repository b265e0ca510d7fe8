import os from 'node:os'
import type { BackupReport, RestoreReport } from '@tillwright/platform'
import { Command, InvalidArgumentError } from 'commander'
import { settingsHelp } from '../operate.ts'
import { wholeNumber } from '../option-values.ts'
import { answer, facts, jsonOption, type OutputOptions } from '../terminal/output.ts'

interface BackupOptions extends OutputOptions {
  to: string
  keep?: number
}

interface RestoreOptions extends OutputOptions {
  from: string
  erasures?: string
  verify?: true
}

const backupHelp = `
Copies the rows as they are at one moment, and the files of plugins that are not in the folder yet, while the platform
goes on serving. Each backup has its own folder below "backups", with a manifest that is written last: a folder without
one is no backup. With --keep, older ones are deleted once this one is whole and lacks nothing; their files of plugins stay.
Keys are never copied; the manifest has their ids. Keep TILLWRIGHT_VAULT_KEY elsewhere, and this
folder, which holds the data of buyers, as safe as the database itself. The whole procedure is at /guide/operating/backup of a platform.`

/** `tillwright backup`: copies everything that a platform keeps, except its keys. */
export const backupCommand = new Command('backup')
  .requiredOption('--to <folder>', 'the folder for backups')
  .option('--keep <count>', 'delete backups that are older than so many, this one included', atLeastOne)
  .option(...jsonOption)
  .addHelpText('after', `${backupHelp}\n${settingsHelp}`)
  .action(({ to, keep, ...options }: BackupOptions) => answer(options, () => backup(to, keep), showBackup))

function atLeastOne(text: string): number {
  const count = wholeNumber(text)
  if (count > 0) return count
  throw new InvalidArgumentError('It must be at least 1.')
}

async function backup(to: string, keep: number | undefined): Promise<BackupReport> {
  os.setPriority(10) // payments come first
  const { readConfig, takeBackup } = await import('@tillwright/platform')
  const report = await takeBackup(readConfig(process.env), to, { keep })
  if (report.missingBlobs.length > 0) process.exitCode = 1
  return report
}

function showBackup(report: BackupReport): string {
  const { folder, takenAt, rows, payments, blobs, missingBlobs, keyIds, deleted, isNoted } = report
  const shown = facts([
    ['backup', folder],
    ['as of', takenAt],
    ['rows', `${rows}, of them ${payments} payments`],
    ['files of plugins', `${blobs.all}, of them ${blobs.copied} copied now`],
    ['needs the keys', keyIds.length === 0 ? 'none' : keyIds.join(', ')],
    ...deleted.map((older) => ['deleted', older] as const),
  ])
  const lost = '\nThe backup is whole, but the database was lost meanwhile and does not know of it.\n'
  return shown + missingText(missingBlobs) + (isNoted ? '' : lost)
}

const restoreHelp = `
Restores into an empty place only: a new database in DATABASE_URL, or a TILLWRIGHT_HOME without one. A backup of one
engine can be restored on the other. Each row, the ledger's sums and each file are proved, and a card is opened with the key
of this configuration.

Customers who were erased after the backup are erased again: those of the newest backup in the same folder, and of the file
that --erasures names. The first start of the platform does it.

With --verify it does the same aside and removes it again; nothing is charged or delivered, and the database, if it is
there, only notes that its newest backup was proved. Do this after each backup.`

/** `tillwright restore`: brings a backup back, or proves that it could be. */
export const restoreCommand = new Command('restore')
  .requiredOption('--from <folder>', 'the folder of backups, for the newest whole one, or of one of them')
  .option(
    '--erasures <file>',
    'what "erasures list --csv" printed: erased customers whom no backup here knows as erased',
  )
  .option('--verify', 'prove the backup aside, and restore nothing')
  .option(...jsonOption)
  .addHelpText('after', `${restoreHelp}\n${settingsHelp}`)
  .action(({ from, verify, erasures, ...options }: RestoreOptions) =>
    answer(
      options,
      () => restore({ from, erasures: erasures ?? null }, verify === true ? 'verifyBackup' : 'restoreBackup'),
      showRestore,
    ),
  )

async function restore(
  { from, erasures }: { from: string; erasures: string | null },
  how: 'verifyBackup' | 'restoreBackup',
): Promise<RestoreReport> {
  const platform = await import('@tillwright/platform')
  const config = platform.readConfig(process.env)
  const { bankSimulator } = config.environment === 'production' ? {} : await import('@tillwright/bank-simulator')
  return platform[how](config, from, { erasures, extraTables: bankSimulator?.tables ?? [] })
}

function showRestore(report: RestoreReport): string {
  const { folder, takenAt, engine, rows, payments, blobs, missingBlobs, openedCard, isProof } = report
  const { erasedAgain, erasuresKnownUntil, heldRenewals, renewalsHeldUntil } = report
  const shown = facts([
    [isProof ? 'proved' : 'restored', folder],
    ['as of', takenAt],
    [
      'into',
      `${engine === 'sqlite' ? 'an embedded database' : 'PostgreSQL'}${isProof ? ', which is removed again' : ''}`,
    ],
    ['rows', `${rows}, of them ${payments} payments, as they were`],
    ['ledger', 'sums to zero'],
    ['files of plugins', `${blobs}, as they were`],
    ['cards', openedCard === null ? 'there are none' : 'open with the key of this configuration'],
    ...(erasedAgain === 0
      ? []
      : [['erased customers', `${erasedAgain}, erased again when the platform starts`] as const]),
    ...(isProof || heldRenewals === 0
      ? []
      : [['due renewals', `${heldRenewals}, none of them charged before ${renewalsHeldUntil}`] as const]),
  ])
  const undone = `
What came later is undone. API keys that were revoked after ${takenAt} work again, and members who were
removed since may sign in: revoke and remove them once more. Customers who were erased after ${erasuresKnownUntil}
are back, unless --erasures has named them: erase them with "tillwright erasures repeat".
${heldRenewals === 0 ? '' : heldText}`
  return shown + (isProof ? '' : undone) + missingText(missingBlobs)
}

const heldText = `The due renewals may have been charged since: compare them with the reports of the processors, and pause those that were,
before they are charged again.
`

function missingText(missing: readonly string[]): string {
  if (missing.length === 0) return ''
  const list = missing.slice(0, 5).join(', ')
  return `\n${missing.length} files of plugins were already missing or damaged in the store, such as ${list}: publish their plugins again.\n`
}
