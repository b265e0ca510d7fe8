import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contract, contract, LIVE_PROCESSORS_MAX, type Operation } from '../packages/contract/src/index.ts'

/** The page of resources and what can be done with them: `node .ci/resource-table.ts` writes it, `--check` compares it. */
const PAGE = join(import.meta.dirname, '../apps/docs/pages/reference/resources.md')

const columns = ['list', 'get', 'create', 'update', 'archive', 'search', 'CSV'] as const
type Column = (typeof columns)[number]

/** A resource, the groups of its operations, and why it lacks what it lacks. */
interface Resource {
  name: string
  groups: readonly (keyof Contract)[]
  lacks?: Partial<Record<Column, string>>
}

const BOOKS = 'It is part of the books.'
const KEPT = 'What has happened stays as it was; retention ends it.'

const inProduct = 'It is read, listed and found with its product.'
const few = (what: string) => ({ search: what, CSV: what })

const resources: readonly Resource[] = [
  {
    name: 'Account',
    groups: ['accounts'],
    lacks: {
      list: 'A key sees its own account.',
      create: 'The operator creates accounts.',
      archive: 'The operator creates accounts.',
      ...few('A key sees its own account.'),
    },
  },
  { name: 'Store', groups: ['stores'] },
  { name: 'Product', groups: ['products'] },
  { name: 'Variant', groups: ['variants'], lacks: { list: inProduct, get: inProduct, ...few(inProduct) } },
  { name: 'Price', groups: ['prices'], lacks: { list: inProduct, get: inProduct, ...few(inProduct) } },
  {
    name: 'Shipping option',
    groups: ['shippingOptions'],
    lacks: {
      get: 'All of a store are read together.',
      create: '`shippingOptions.set` replaces all of a store.',
      update: '`shippingOptions.set` replaces all of a store.',
      archive: '`shippingOptions.set` replaces all of a store.',
      ...few('A store has 50 at most.'),
    },
  },
  {
    name: 'Hook',
    groups: ['hooks'],
    lacks: {
      create: '`hooks.set` makes and replaces it.',
      update: '`hooks.set` makes and replaces it.',
      ...few('A store has four.'),
    },
  },
  { name: 'Promotion', groups: ['promotions'] },
  { name: 'Payment flow', groups: ['paymentFlows'] },
  { name: 'Funnel', groups: ['funnels'] },
  {
    name: 'Funnel session',
    groups: ['funnelSessions'],
    lacks: {
      list: 'It ends in orders, which are listed.',
      create: 'A buyer’s page or a preview begins it.',
      update: 'The buyer’s page changes it.',
      archive: KEPT,
      ...few('It ends in orders, which are listed.'),
    },
  },
  { name: 'Customer', groups: ['customers'] },
  { name: 'Payment instrument', groups: ['paymentInstruments'] },
  {
    name: 'Payment',
    groups: ['payments'],
    lacks: { update: 'What was charged stays; it is captured, voided and refunded.', archive: BOOKS },
  },
  {
    name: 'Refund',
    groups: ['refunds'],
    lacks: { create: '`payments.refund` makes it.', update: 'What was given back stays.', archive: BOOKS },
  },
  {
    name: 'Refund request',
    groups: ['refundRequests'],
    lacks: {
      create: '`payments.refund` above the account’s limit makes it.',
      update: 'It is approved or declined.',
      archive: 'It expires after seven days.',
    },
  },
  { name: 'Order', groups: ['orders'], lacks: { create: 'A payment or a session makes it.', archive: BOOKS } },
  {
    name: 'Subscription',
    groups: ['subscriptions'],
    lacks: { create: 'Paying for a recurring price makes it.', archive: 'It is canceled: `subscriptions.cancel`.' },
  },
  {
    name: 'Dispute',
    groups: ['disputes'],
    lacks: { create: 'The bank opens it.', update: 'The bank decides it.', archive: BOOKS },
  },
  {
    name: '3-D Secure session',
    groups: ['threeds'],
    lacks: {
      list: 'It is found by its payment.',
      update: 'The bank decides it.',
      archive: KEPT,
      ...few('It is found by its payment.'),
    },
  },
  {
    name: '3-D Secure provider',
    groups: ['threedsProviders'],
    lacks: {
      create: 'The operator configures them for all accounts; `accounts.update` selects one.',
      update: 'The operator configures them for all accounts; `accounts.update` selects one.',
      archive: 'The operator configures them for all accounts; `accounts.update` selects one.',
      ...few('There are two.'),
    },
  },
  {
    name: 'Event',
    groups: ['events', 'eventLog'],
    lacks: {
      create: 'What happens makes it; `eventLog.trigger` simulates one.',
      update: KEPT,
      archive: KEPT,
      ...few('The log is read in the order of what happened, from any time on.'),
    },
  },
  {
    name: 'Webhook endpoint',
    groups: ['webhookEndpoints'],
    lacks: { search: 'An account has 100 at most.' },
  },
  {
    name: 'Processor',
    groups: ['processors'],
    lacks: { search: `An account has ${LIVE_PROCESSORS_MAX} at most.` },
  },
  {
    name: 'API key',
    groups: ['apiKeys'],
    lacks: { update: 'What a key may do stays; another one is made, or it is rolled.', search: 'An account has few.' },
  },
  { name: 'Member', groups: ['members'], lacks: { search: 'An account has few.' } },
  {
    name: 'Audit entry',
    groups: ['audit'],
    lacks: {
      get: 'The list has whole entries, filtered by resource, actor, operation and time.',
      create: 'Every change makes one.',
      update: 'The log is append-only.',
      archive: 'The log is append-only.',
      search: 'The list has whole entries, filtered by resource, actor, operation and time.',
    },
  },
  {
    name: 'Failed request',
    groups: ['requests'],
    lacks: {
      create: 'A request that fails makes it.',
      update: KEPT,
      archive: KEPT,
      search: 'It is found by its id; the list is filtered by error, operation, key and time.',
    },
  },
  {
    name: 'Erasure',
    groups: ['erasures'],
    lacks: {
      create: '`customers.erase` makes it.',
      update: 'A receipt stays.',
      archive: 'A receipt stays.',
      search: 'A receipt names the customer by id alone.',
    },
  },
]

/** Groups of operations that are about no resource of the account, and what they are about. */
const others: readonly { groups: readonly (keyof Contract)[]; about: string }[] = [
  { groups: ['refundLimits'], about: 'above how much a refund needs a second person' },
  { groups: ['testClock'], about: 'the clock of a local platform' },
  { groups: ['me'], about: 'the member who is signed in' },
  { groups: ['statistics'], about: 'what happened, in numbers' },
  { groups: ['platform'], about: 'the platform itself, for its operator' },
  { groups: ['plugins', 'pluginManagement'], about: 'plugins, whose versions are deployed, activated and rolled back' },
  { groups: ['session'], about: 'the buyer’s session, in its page' },
  { groups: ['recoveries'], about: 'the page to which a declined renewal leads its buyer' },
  { groups: ['vault', 'threedsFrame'], about: 'the card form and the frame of a challenge' },
]

/** The operations that a column stands for, by their names. */
const named: Readonly<Record<Exclude<Column, 'search' | 'CSV'>, readonly string[]>> = {
  list: ['list'],
  get: ['get', 'getById', 'view'],
  create: ['create', 'createFromToken', 'createSession', 'invite'],
  update: ['update'],
  archive: ['archive', 'delete', 'remove', 'revoke'],
}

/** Operations of each resource of the API, as Markdown. @throws For a hole without a reason, and the reverse. */
function resourceTable(): string {
  const notes: string[] = []
  const problems: string[] = []
  const rows = resources.map(({ name, groups, lacks = {} }) => {
    const operations: Readonly<Record<string, Operation>> = Object.assign({}, ...groups.map((group) => contract[group]))
    const cells = columns.map((column) => {
      const operation = operationOf(column, operations)
      const reason = lacks[column]
      if (operation === null && reason === undefined)
        problems.push(`${name}: ${column} is missing, and no reason is given.`)
      if (operation !== null && reason !== undefined)
        problems.push(`${name}: ${column} is there, and a reason why not, too.`)
      if (reason === undefined) return operation === null ? '' : `\`${operation}\``
      if (!notes.includes(reason)) notes.push(reason)
      return `- (${notes.indexOf(reason) + 1})`
    })
    return [name, ...cells]
  })
  const claimed = new Set([...resources, ...others].flatMap(({ groups }) => groups))
  for (const group of Object.keys(contract) as (keyof Contract)[])
    if (!claimed.has(group)) problems.push(`The operations of \`${group}\` belong to no resource.`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return page(rows, notes)
}

function operationOf(column: Column, operations: Readonly<Record<string, Operation>>): string | null {
  // The reference's list of payment flows is older than the grammar of lists; theirs by that grammar is `search`.
  const list = operations['search'] ?? operations['list']
  if (column === 'search') return list?.query?.shape['q'] === undefined ? null : 'q'
  if (column === 'CSV') return list?.list === undefined ? null : 'text/csv'
  return named[column].find((each) => operations[each] !== undefined) ?? null
}

/** The filters of each list and what its search finds, as the contract has them. */
function filterRows(): string[][] {
  const operations: readonly Operation[] = Object.values(contract).flatMap((group) => Object.values(group))
  return operations.flatMap(({ list, path, query }) => {
    if (list === undefined) return []
    const fields: Readonly<Record<string, { description?: string | undefined }>> = query?.shape ?? {}
    const filters = Object.keys(fields).filter((name) => !grammar.includes(name) && !/(From|To|Before)$/.test(name))
    const between = ['created', 'amount'].filter((name) => `${name}From` in fields)
    const found = /^Searches for (.*?)\. /.exec(fields['q']?.description ?? '')?.[1] ?? '-'
    return [[`\`${path}\``, [...filters, ...between].map((name) => `\`${name}\``).join(', '), found]]
  })
}

/** The fields that all lists have, and the search, which has a column of its own. */
const grammar: readonly string[] = ['limit', 'after', 'order', 'q']

function page(rows: readonly string[][], notes: readonly string[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tableOf = (head: readonly string[], body: readonly string[][]) =>
    [line(head), `|${head.map(() => '---|').join('')}`, ...body.map(line)].join('\n')
  return `# Resources

What can be done with each resource of an account over HTTP, with the client (\`client.products.list\`) and on the command line
(\`tillwright products list\`). Generated from the contract by \`pnpm run fields\`; \`pnpm check\` fails for a hole without a reason.
[Lists and search](lists.md), [changing and archiving](changing.md), [who may](../security/member-roles.md).

${tableOf(['resource', ...columns], rows)}

${notes.map((note, at) => `${at + 1}. ${note}`).join('\n')}

The other operations are about ${others.map(({ groups, about }) => `${about} (${groups.map((group) => `\`${group}\``).join(', ')})`).join('; ')}.

## Filters of each list

\`created\` stands for \`createdFrom\` and \`createdBefore\`, \`amount\` for \`amountFrom\` and \`amountTo\`. Every list has \`limit\`,
\`after\` and \`order\`.

${tableOf(['list', 'filters', '`q` finds'], filterRows())}
`
}

if (import.meta.main) {
  if (!process.argv.includes('--check')) writeFileSync(PAGE, resourceTable())
  else if (readFileSync(PAGE, 'utf8') !== resourceTable()) {
    console.log('apps/docs/pages/reference/resources.md is not current: run `pnpm run fields`.')
    process.exitCode = 1
  }
}
