import type { LocalFile } from '@tillwright/platform'
import pc from 'picocolors'

/** Cards to try, and what the simulated processors do with them. */
const cards = [
  ['4242 4242 4242 4242', 'is charged'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0027 6000 3184', 'asks for a code of the bank: 1234 is right'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
] as const

/** What a developer sees when everything answers. */
export function banner(local: LocalFile, { moves, logFile }: { moves: readonly string[]; logFile: string }): string {
  const row = (name: string, value: string) => `  ${pc.dim(name.padEnd(14))} ${value}\n`
  return [
    ...moves.map((move) => `${pc.yellow('note')} ${move}\n`),
    `\n${pc.bold(pc.green('Tillwright is running.'))}\n\n`,
    local.shopUrl === null ? '' : row('Demo shop', pc.bold(pc.cyan(local.shopUrl))),
    row('API', local.apiUrl),
    row('Reference', `${local.apiUrl}/docs`),
    row('Vault', local.vaultUrl),
    row('3-D Secure', `${local.apiUrl}/acs/timeline`),
    row('API key', local.apiKey),
    row('Logs', logFile),
    `\n  Cards to try, with any later date and any CVC:\n`,
    ...cards.map(([number, what]) => `  ${number}  ${pc.dim(what)}\n`),
    `\n  Everything a script needs stands in .tillwright/local.json. Ctrl-C stops it all and keeps the data.\n\n`,
  ].join('')
}
