import { resolve } from 'node:path'
import { choices, type ListedThreedsProvider } from '@tillwright/platform'
import { Argument, Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { several } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface AddOptions extends OutputOptions {
  provider: ListedThreedsProvider['name']
  directoryUrl: string[]
  serverReferenceNumber: string
  serverOperatorId?: string
  requestorId?: string
  clientCertificate?: string
  clientKey?: string
  authorities?: string
  resultCertificates: string
}

const addHelp = `
In production the platform is the 3DS server and speaks EMV 3DS to the directory servers that you name here:
  tillwright threeds add --provider vendor_a --server-reference-number REF \\
    --directory-url visa=https://ds.visa.example/ --directory-url mastercard=https://ds.mc.example/ \\
    --client-certificate server.pem --client-key server.key --result-certificates directories.pem
Payments are authenticated by vendor_a, or by what "tillwright accounts update ID --threeds-provider" says for an account;
a standalone session names its provider. "local" and "development" keep to the simulated bank. The merchant and its
acquirer's BIN belong to a processor: "tillwright processors add --help".

Results of challenges come back to /v1/threeds/results on the vault's origin. They are taken from whoever shows one of the
certificates of --result-certificates to the proxy in front, which hands it on in the header that
TILLWRIGHT_CLIENT_CERT_HEADER names; without, they are refused. docs/3d-secure.md shows it for nginx and HAProxy.

The files are read again every minute: a renewed certificate goes into the same file.`

const add = new Command('add')
  .description('Configure a 3-D Secure provider for production')
  .addOption(
    new Option('--provider <name>', 'which of the two').choices(choices.threedsProviders).makeOptionMandatory(true),
  )
  .requiredOption('--server-reference-number <number>', 'what EMVCo calls this 3DS server (threeDSServerRefNumber)')
  .addOption(
    several([
      '--directory-url <url>',
      'the directory server, or visa=URL for one network; may be repeated',
    ]).makeOptionMandatory(true),
  )
  .option('--server-operator-id <id>', 'what the directory calls you (threeDSServerOperatorID)')
  .option(
    '--requestor-id <id>',
    "what the directory calls the shop (threeDSRequestorID); the account's id unless given",
  )
  .option('--client-certificate <file>', 'the certificate that the platform shows itself with, in PEM')
  .option('--client-key <file>', 'the private key of that certificate, in PEM')
  .option(
    '--authorities <file>',
    "whose certificates directory servers may have, in PEM; the machine's own unless given",
  )
  .requiredOption(
    '--result-certificates <file>',
    'the client certificates of the directory servers that bring results, in PEM',
  )
  .option(...jsonOption)
  .addHelpText('after', `${addHelp}\n${settingsHelp}`)
  .action((options: AddOptions) =>
    operate(options, ({ threeds }) => threeds.add({ name: options.provider, settings: settingsOf(options) }), {
      show: showProvider,
    }),
  )

const list = new Command('list')
  .description('List the 3-D Secure providers that are configured')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions) => operate(options, ({ threeds }) => threeds.list(), { show: showProviders }))

const remove = new Command('remove')
  .description('Remove a 3-D Secure provider: nobody is authenticated by it any more, challenges under way still end')
  .addArgument(new Argument('<provider>', 'which of the two').choices(choices.threedsProviders))
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((name: ListedThreedsProvider['name'], options: OutputOptions) =>
    operate(options, ({ threeds }) => threeds.remove(name), { show: showProvider }),
  )

/** `tillwright threeds`: who authenticates cardholders in production. */
export const threedsCommand = new Command('threeds').addCommand(add).addCommand(list).addCommand(remove)

function settingsOf(options: AddOptions) {
  const { serverReferenceNumber, serverOperatorId = null, requestorId = null } = options
  const path = (file: string | undefined) => (file === undefined ? null : resolve(file))
  return {
    serverReferenceNumber,
    serverOperatorId,
    requestorId,
    ...directoryUrls(options.directoryUrl),
    clientCertificate: path(options.clientCertificate),
    clientKey: path(options.clientKey),
    authorities: path(options.authorities),
    resultCertificates: path(options.resultCertificates),
  }
}

type Urls = Pick<ListedThreedsProvider, 'url' | 'networkUrls'>

/**
 * The directory servers that options name: one for all networks, or for the one before it (`visa=https://...`).
 *
 * @throws {CommandFailed} For a network that there is not, and for one that is named twice.
 */
export function directoryUrls(texts: readonly string[]): Urls {
  const urls: Urls = { url: null, networkUrls: {} }
  for (const text of texts) {
    const [, network, own] = /^([a-z_]+)=(.*)$/.exec(text) ?? []
    if (network === undefined) {
      if (urls.url !== null) throw new CommandFailed('--directory-url: there is one for all networks; name it once.')
      urls.url = text
      continue
    }
    const known = choices.networks.find((name) => name === network)
    if (known === undefined) {
      throw new CommandFailed(`--directory-url: '${network}' must be one of: ${choices.networks.join(', ')}.`)
    }
    if (urls.networkUrls[known] !== undefined) throw new CommandFailed(`--directory-url: '${known}' is named twice.`)
    urls.networkUrls[known] = own ?? ''
  }
  return urls
}

/** One 3-D Secure provider. */
function showProvider(provider: ListedThreedsProvider): string {
  const {
    name,
    serverReferenceNumber,
    serverOperatorId,
    requestorId,
    clientCertificate,
    resultCertificates,
    resultsRefused,
    createdAt,
  } = provider
  return facts([
    ['provider', name],
    ['server reference', serverReferenceNumber],
    ['server operator', serverOperatorId ?? '-'],
    ['requestor', requestorId ?? "the account's id"],
    ['directories', directories(provider)],
    ['certificate', clientCertificate ?? '-'],
    ['results from', resultCertificates ?? '-'],
    ...(resultsRefused === null ? [] : [['results', `refused: ${resultsRefused}`] as const]),
    ['created', createdAt],
  ])
}

/** All 3-D Secure providers that are configured. */
function showProviders(providers: readonly ListedThreedsProvider[]): string {
  if (providers.length === 0) return 'No 3-D Secure provider is configured; add one with "tillwright threeds add".\n'
  return table(
    ['provider', 'server reference', 'directories', 'results', 'created'],
    providers.map((provider) => [
      provider.name,
      provider.serverReferenceNumber,
      directories(provider),
      provider.resultsRefused === null ? 'taken' : 'refused',
      provider.createdAt,
    ]),
  )
}

function directories({ url, networkUrls }: ListedThreedsProvider): string {
  const own = Object.entries(networkUrls).map(([network, each]) => `${network}=${each}`)
  return [...(url === null ? [] : [url]), ...own].join(' ')
}
