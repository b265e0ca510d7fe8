import { resolve } from 'node:path'
import { choices, type ListedThreedsProvider } from '@tillwright/platform'
import { Argument, Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { several } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface SettingOptions extends OutputOptions {
  directoryUrl?: string[]
  serverReferenceNumber?: string
  serverOperatorId?: string
  requestorId?: string
  clientCertificate?: string
  clientKey?: string
  authorities?: string
  resultCertificates?: string
}

type AddOptions = SettingOptions &
  Required<Pick<SettingOptions, 'directoryUrl' | 'serverReferenceNumber' | 'resultCertificates'>> & {
    provider: ListedThreedsProvider['name']
  }

const addHelp = `
In production the platform is the 3DS server and exchanges EMV 3DS messages with the directory servers configured here:
  tillwright threeds add --provider vendor_a --server-reference-number REF \\
    --directory-url visa=https://ds.visa.example/ --directory-url mastercard=https://ds.mc.example/ \\
    --client-certificate server.pem --client-key server.key --result-certificates directories.pem
Payments are authenticated by vendor_a, or by the account's provider ("tillwright accounts update ID --threeds-provider");
a standalone session has its own provider. "local" and "development" use the simulated bank. The merchant and its
acquirer's BIN belong to a processor: "tillwright processors add --help".

Results of challenges are sent to /v1/threeds/results on the vault's origin. They are accepted with one of the certificates
in --result-certificates, which the proxy in front verifies and passes on in the header named by
TILLWRIGHT_CLIENT_CERT_HEADER; without it they are refused. A platform shows this for nginx and HAProxy at /guide/3-d-secure/production.

The files are read again every minute: save a renewed certificate under the same name.`

/** Adds the options for a provider's settings. `needed` is applied to those that every provider has. */
function withSettings(command: Command, needed: (option: Option) => Option): Command {
  return command
    .addOption(
      needed(
        new Option(
          '--server-reference-number <number>',
          "EMVCo's reference number of this 3DS server (threeDSServerRefNumber)",
        ),
      ),
    )
    .addOption(
      needed(several(['--directory-url <url>', 'the directory server, or visa=URL for one network; may be repeated'])),
    )
    .option('--server-operator-id <id>', 'your id at the directory server (threeDSServerOperatorID)')
    .option(
      '--requestor-id <id>',
      "the shop's id at the directory server (threeDSRequestorID); the account's id by default",
    )
    .option('--client-certificate <file>', "the platform's client certificate, in PEM")
    .option('--client-key <file>', 'the private key of that certificate, in PEM')
    .option(
      '--authorities <file>',
      "trusted issuers of directory servers' certificates, in PEM; the machine's own by default",
    )
    .addOption(
      needed(
        new Option(
          '--result-certificates <file>',
          'the client certificates of directory servers that send results, in PEM',
        ),
      ),
    )
    .option(...jsonOption)
}

const add = withSettings(
  new Command('add')
    .description('Configure a 3-D Secure provider for production')
    .addOption(
      new Option('--provider <name>', 'vendor_a or vendor_b')
        .choices(choices.threedsProviders)
        .makeOptionMandatory(true),
    ),
  (option) => option.makeOptionMandatory(true),
)
  .addHelpText('after', `${addHelp}\n${settingsHelp}`)
  .action((options: AddOptions) =>
    operate(options, ({ threeds }) => threeds.add({ name: options.provider, settings: settingsOf(options) }), {
      show: showProvider,
    }),
  )

const updateHelp = `
What is not named stays; --directory-url names all directory servers anew. Every process authenticates with the new settings
within a second, and challenges that were begun before end as they would have. For that, add the certificates of new
directory servers to the file of --result-certificates, and keep the former ones there until those have ended.`

const update = withSettings(
  new Command('update')
    .description('Change a 3-D Secure provider while payments go on')
    .addArgument(new Argument('<provider>', 'vendor_a or vendor_b').choices(choices.threedsProviders)),
  (option) => option,
)
  .addHelpText('after', `${updateHelp}\n${settingsHelp}`)
  .action((name: ListedThreedsProvider['name'], options: SettingOptions) =>
    operate(options, ({ threeds }) => threeds.update(name, changesOf(options)), { show: showProvider }),
  )

const list = new Command('list')
  .description('List the configured 3-D Secure providers')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions) => operate(options, ({ threeds }) => threeds.list(), { show: showProviders }))

const remove = new Command('remove')
  .description(
    'Remove a 3-D Secure provider: it authenticates nobody any more, and results of open challenges are refused',
  )
  .addArgument(new Argument('<provider>', 'vendor_a or vendor_b').choices(choices.threedsProviders))
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((name: ListedThreedsProvider['name'], options: OutputOptions) =>
    operate(options, ({ threeds }) => threeds.remove(name), { show: showProvider }),
  )

/** `tillwright threeds`: manages the providers that authenticate cardholders in production. */
export const threedsCommand = new Command('threeds')
  .addCommand(add)
  .addCommand(list)
  .addCommand(update)
  .addCommand(remove)

type Settings = Omit<ListedThreedsProvider, 'name' | 'resultsRefused' | 'createdAt'>

const UNSET = {
  serverOperatorId: null,
  requestorId: null,
  url: null,
  networkUrls: {},
  clientCertificate: null,
  clientKey: null,
  authorities: null,
  resultCertificates: null,
}

/** The settings that options name. */
function namedOf(options: SettingOptions): Partial<Settings> {
  const { directoryUrl, serverReferenceNumber, serverOperatorId, requestorId } = options
  const { clientCertificate, clientKey, authorities, resultCertificates } = options
  return {
    ...(directoryUrl && directoryUrls(directoryUrl)),
    ...(serverReferenceNumber !== undefined && { serverReferenceNumber }),
    ...(serverOperatorId !== undefined && { serverOperatorId }),
    ...(requestorId !== undefined && { requestorId }),
    ...(clientCertificate !== undefined && { clientCertificate: resolve(clientCertificate) }),
    ...(clientKey !== undefined && { clientKey: resolve(clientKey) }),
    ...(authorities !== undefined && { authorities: resolve(authorities) }),
    ...(resultCertificates !== undefined && { resultCertificates: resolve(resultCertificates) }),
  }
}

function settingsOf({ serverReferenceNumber, ...options }: AddOptions): Settings {
  return { ...UNSET, serverReferenceNumber, ...namedOf(options) }
}

/** @throws {CommandFailed} When nothing is named. */
function changesOf(options: SettingOptions): Partial<Settings> {
  const named = namedOf(options)
  if (Object.keys(named).length > 0) return named
  throw new CommandFailed('Name what changes, such as --client-certificate and --client-key.')
}

type Urls = Pick<ListedThreedsProvider, 'url' | 'networkUrls'>

/**
 * Parses directory servers: one for all networks, or one per network (`visa=https://...`).
 *
 * @throws {CommandFailed} For an unknown network, and for one given twice.
 */
export function directoryUrls(texts: readonly string[]): Urls {
  const urls: Urls = { url: null, networkUrls: {} }
  for (const text of texts) {
    const [, network, own] = /^([a-z_]+)=(.*)$/.exec(text) ?? []
    if (network === undefined) {
      if (urls.url !== null)
        throw new CommandFailed('--directory-url: there is one server for all networks; pass it once.')
      urls.url = text
      continue
    }
    const known = choices.networks.find((name) => name === network)
    if (known === undefined) {
      throw new CommandFailed(`--directory-url: '${network}' must be one of: ${choices.networks.join(', ')}.`)
    }
    if (urls.networkUrls[known] !== undefined) throw new CommandFailed(`--directory-url: '${known}' is given twice.`)
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
