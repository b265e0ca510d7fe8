import { readFile } from 'node:fs/promises'
import type { WalletName } from '@tillwright/contract'
import type { ListedWallet, WantedWallet } from '@tillwright/platform'
import { Argument, Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions } from '../terminal/output.ts'

interface AccountOption extends OutputOptions {
  account?: string
}

interface FileOptions {
  key?: string
  identity?: string
  domainAssociation?: string
}

interface AddOptions extends AccountOption, FileOptions {
  merchantName: string
  merchantIdentifier?: string
  merchantId?: string
}

const accountOption = ['--account <id>', 'the account; optional if there is only one'] as const

const addHelp = `
Apple Pay, with the files of the merchant identifier at developer.apple.com, each certificate with its private key in PEM:
  tillwright wallets add apple_pay --merchant-identifier merchant.com.example --merchant-name "Canvas & Co" \\
    --key processing.pem --identity identity.pem --domain-association apple-developer-merchantid-domain-association
Google Pay, with the private key whose public half is registered in the Google Pay & Wallet Console:
  tillwright wallets add google_pay --merchant-id BCR2DN4T6Z3WLIJ5 --merchant-name "Canvas & Co" --key google.pem

The keys are sealed in the database; the files are not needed any more. Without wallets of its own, an account of a
"local" or "development" platform takes simulated ones.`

const wallet = () => new Argument('<wallet>', 'apple_pay or google_pay').choices(['apple_pay', 'google_pay'])

const keyOption = [
  '--key <file>',
  'payment processing certificate and key (Apple Pay), or private key, in PEM',
] as const
const identityOption = ['--identity <file>', 'Apple Pay: merchant identity certificate and key, in PEM'] as const
const associationOption = [
  '--domain-association <file>',
  "Apple Pay: the file that hosts of plugins serve for Apple's check of their domains",
] as const

const add = new Command('add')
  .description('Let an account take a wallet')
  .addArgument(wallet())
  .requiredOption('--merchant-name <name>', 'the merchant as the sheet shows it')
  .option('--merchant-identifier <id>', 'Apple Pay: the merchant identifier, merchant....')
  .option('--merchant-id <id>', "Google Pay: the merchant's id")
  .option(...keyOption)
  .option(...identityOption)
  .option(...associationOption)
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', `${addHelp}\n${settingsHelp}`)
  .action((name: WalletName, options: AddOptions) =>
    operate(options, async ({ wallets }) => wallets.add(await wantedOf(name, options)), { show: showWallet }),
  )

const list = new Command('list')
  .description('List the wallets of an account with the ids of their keys')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: AccountOption) =>
    operate(options, ({ wallets }) => wallets.list(options.account), { show: showWallets }),
  )

const rotate = new Command('rotate')
  .description('Give a wallet a new key beside the former ones, or renew what Apple knows the merchant by')
  .addArgument(wallet())
  .option(...keyOption)
  .option(...identityOption)
  .option(...associationOption)
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText(
    'after',
    `\nPages use the newest key at once. Remove the former one after a day, and only then at Apple or Google.\n${settingsHelp}`,
  )
  .action((name: WalletName, options: AccountOption & FileOptions) =>
    operate(
      options,
      async ({ wallets }) => wallets.rotate({ account: options.account, wallet: name, ...(await readFiles(options)) }),
      { show: showWallet },
    ),
  )

const removeKey = new Command('remove-key')
  .description('Remove a former key of a wallet')
  .addArgument(wallet())
  .argument('<id>', 'the key, as "tillwright wallets list" shows it')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((name: WalletName, id: string, options: AccountOption) =>
    operate(options, ({ wallets }) => wallets.removeKey(id, { account: options.account, wallet: name }), {
      show: showWallet,
    }),
  )

const remove = new Command('remove')
  .description('Remove a wallet with its keys: pages show it no more')
  .addArgument(wallet())
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((name: WalletName, options: AccountOption) =>
    operate(options, ({ wallets }) => wallets.remove(name, options.account), { show: showWallet }),
  )

/** `tillwright wallets`: the wallets that accounts take. */
export const walletsCommand = new Command('wallets')
  .addCommand(add)
  .addCommand(list)
  .addCommand(rotate)
  .addCommand(removeKey)
  .addCommand(remove)

async function wantedOf(name: WalletName, options: AddOptions): Promise<WantedWallet> {
  const { account, merchantName, merchantIdentifier, merchantId } = options
  const { key, identity, domainAssociation = null } = await readFiles(options)
  const shared = { account, merchantName, key: required('--key', key) }
  if (name === 'google_pay') {
    return { ...shared, wallet: name, merchantId: required('--merchant-id', merchantId) }
  }
  return {
    ...shared,
    wallet: name,
    merchantIdentifier: required('--merchant-identifier', merchantIdentifier),
    identity: required('--identity', identity),
    domainAssociation,
  }
}

function required(option: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new CommandFailed(
    `${option}: is missing; "tillwright wallets add --help" shows what each wallet needs.`,
    'usage',
  )
}

async function readFiles({ key, identity, domainAssociation }: FileOptions) {
  return {
    key: await readNamed('--key', key),
    identity: await readNamed('--identity', identity),
    domainAssociation: await readNamed('--domain-association', domainAssociation),
  }
}

async function readNamed(option: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  return readFile(file, 'utf8').catch(() => {
    throw new CommandFailed(`${option}: ${file} cannot be read.`)
  })
}

function showWallets(wallets: readonly ListedWallet[]): string {
  if (wallets.length === 0) return 'The account takes no wallets yet; add one with "tillwright wallets add".\n'
  return wallets.map(showWallet).join('\n')
}

function showWallet(shown: ListedWallet): string {
  return facts([
    ['wallet', shown.wallet],
    [
      'merchant',
      `${shown.merchantName} (${shown.wallet === 'apple_pay' ? shown.merchantIdentifier : shown.merchantId})`,
    ],
    ...(shown.wallet === 'apple_pay'
      ? ([
          ['identity', `until ${shown.identityExpiresAt}`],
          ['domain file', shown.domainAssociation === null ? 'none' : 'served by hosts of plugins'],
        ] as const)
      : []),
    ...shown.keys.map(
      ({ id, addedAt, expiresAt }) =>
        ['key', `${id} since ${addedAt}${expiresAt === null ? '' : `, until ${expiresAt}`}`] as const,
    ),
  ])
}
