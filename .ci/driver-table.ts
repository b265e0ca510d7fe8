import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capabilities } from '../packages/platform/src/processors/processor-driver.ts'
import { processorRegistry } from '../packages/platform/src/processors/registry.ts'

/**
 * The page of drivers and the cases of their conformance suite: `node .ci/driver-table.ts` writes it, `--check` compares
 * it. A case is in the suite of each driver whose capabilities claim it, so that a `yes` is tested.
 */
const PAGE = join(import.meta.dirname, '../apps/docs/pages/payments/drivers.md')

/** A case of `driver.conformance.ts`, and the capability that claims it; every driver has those without one. */
interface Case {
  what: string
  /** As the driver names it, such as `severalCaptures`. */
  needs?: string
  isAble?(able: Capabilities): boolean
}

const flag = (what: string, name: keyof Capabilities): Case => ({
  what,
  needs: name,
  isAble: (able) => able[name] === true,
})
const card = (what: string, kind: Capabilities['cards'][number]): Case => ({
  what,
  needs: `cards: ${kind}`,
  isAble: ({ cards }) => cards.includes(kind),
})
const method = (what: string, name: Capabilities['methods'][number]['method']): Case => ({
  what,
  needs: `methods: ${name}`,
  isAble: ({ methods }) => methods.some((each) => each.method === name),
})

const cases: readonly Case[] = [
  { what: 'A repeated id charges once, and a lost answer is found by asking' },
  { what: 'What it cannot take never begins' },
  { what: 'Captures, refunds and voids are refused by amount and state' },
  card('A card by its number', 'number'),
  card('A network token with its cryptogram', 'network_token'),
  card('A card that the processor keeps', 'processor_token'),
  method('iDEAL', 'ideal'),
  method('PayPal', 'paypal'),
  method('SEPA debit', 'sepa_debit'),
  method('Voucher', 'voucher'),
  flag('An authentication made elsewhere', 'authentication'),
  flag('Cards on file, with the network’s id', 'storedCredentials'),
  flag('A card checked with an amount of 0', 'zeroAmount'),
  {
    what: 'Exemptions',
    needs: 'exemptions',
    isAble: ({ exemptions }) => exemptions.length > 0,
  },
  flag('Several captures, and a void of the rest', 'severalCaptures'),
  flag('Refunds in parts', 'partialRefunds'),
  flag('Captures and refunds that are answered later', 'answersLater'),
  flag('News of a card on file that was renewed, replaced or closed', 'accountUpdater'),
  flag('Disputes are reported', 'disputes'),
  flag('Evidence reaches the bank', 'evidence'),
]

function table(): string {
  const { drivers } = processorRegistry('local')
  const cell = ({ needs, isAble }: Case, { capabilities }: (typeof drivers)[number]) =>
    isAble === undefined || isAble(capabilities) ? 'yes' : `no \`${needs}\``
  const rows = cases.map((each) => `| ${each.what} | ${drivers.map((driver) => cell(each, driver)).join(' | ')} |`)
  return [
    `| case | ${drivers.map(({ name }) => `\`${name}\``).join(' | ')} |`,
    `|---|${drivers.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n')
}

const page = `# What each driver can do

Which processor takes which method and card, and what of it is tested.

A driver names its capabilities, routing leaves it out of what it does not name (\`method_unsupported\`), and the conformance suite
asks it for all that it names: each \`yes\` is a test that passes, in that suite or in those of its events, each \`no\` a capability
that it does not claim.

${table()}

All but \`simulator\`, which moves no money, are tested against doubles that answer as the processors' documentation says, and not against
the processors.
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.log('apps/docs/pages/payments/drivers.md is not current: run `pnpm run fields`.')
  process.exitCode = 1
}
