import type { PurgeReceipt } from '@tillwright/platform'
import { Command, InvalidArgumentError } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface PurgeOptions extends OutputOptions {
  account?: string
  card?: string
  instrument?: string
  customer?: string
  unusedDays?: number
  everything?: true
  dryRun?: true
}

const purgeHelp = `
Removes the encrypted numbers for good, reads each row again to prove it, and prints a receipt; keep it with --json.
What the books need stays: brand, first six and last four digits. Payment instruments of a purged card are disabled.
Cards with a payment under way are left. The receipt says what backups and logs may still hold.`

const purge = new Command('purge')
  .description('Remove stored card numbers for good, and prove it')
  .option('--account <id>', 'the account; optional if there is only one')
  .option('--card <id>', 'this card')
  .option('--instrument <id>', 'the card of this payment instrument')
  .option('--customer <id>', 'all cards of this customer')
  .option('--unused-days <days>', 'cards that nothing has used for so many days', wholeDays)
  .option('--everything', 'every card of the account')
  .option('--dry-run', 'say what would be removed, and remove nothing')
  .option(...jsonOption)
  .addHelpText('after', `${purgeHelp}\n${settingsHelp}`)
  .action(({ json, ...wanted }: PurgeOptions & { json?: true }) =>
    operate<PurgeReceipt>({ ...(json && { json }) }, ({ cards }) => cards.purge(wanted), { show: showReceipt }),
  )

/** `tillwright cards`: stored cards. */
export const cardsCommand = new Command('cards').addCommand(purge)

function wholeDays(value: string): number {
  if (/^[1-9]\d{0,4}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number of days, such as 365.')
}

function showReceipt({ account, selection, at, dryRun, purged, left, remains }: PurgeReceipt): string {
  const rows = purged.map((card) => [
    card.cardId,
    `${card.brand} ${card.last4}`,
    dryRun ? 'would be removed' : card.isGone ? 'gone' : 'NOT GONE',
    card.removedSha256.slice(0, 16) || '-',
  ])
  return [
    `${dryRun ? 'Dry run: ' : ''}${purged.length} cards of ${account} (${selection}), ${at}\n`,
    ...(rows.length === 0 ? [] : [table(['card', 'number', 'state', 'SHA-256 of what was removed'], rows)]),
    ...left.map(({ cardId, reason }) => `${cardId} was left: ${reason}.\n`),
    ...(dryRun ? [] : remains.map((each) => `- ${each}\n`)),
  ].join('')
}
