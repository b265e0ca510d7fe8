import { createSecureContext } from 'node:tls'
import type { ThreedsProviderName } from '@tillwright/contract'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import { PLATFORM } from '../audit/index.ts'
import { commit } from '../http/index.ts'
import { OperatorError } from '../runtime/index.ts'
import {
  deleteDirectoryRow,
  type DirectoryRow,
  type DirectorySettings,
  directorySettings,
  findDirectoryRow,
  insertDirectoryRow,
  listDirectoryRows,
  readCertificates,
  readResultCertificates,
  updateDirectoryRow,
  whyRefused,
} from '../threeds/index.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** A 3-D Secure provider that is wanted. */
export interface WantedThreedsProvider {
  name: ThreedsProviderName
  settings: DirectorySettings
}

/** A 3-D Secure provider as lists show it. */
export interface ListedThreedsProvider extends DirectorySettings {
  name: ThreedsProviderName
  /** Why the platform takes no results of challenges, with the fix; `null` where it does. */
  resultsRefused: string | null
  /** ISO 8601. */
  createdAt: string
}

/** Operator commands for the 3-D Secure providers of production, which serve all accounts. */
export interface ThreedsManagement {
  add(wanted: WantedThreedsProvider): Promise<ListedThreedsProvider>
  list(): Promise<ListedThreedsProvider[]>
  /**
   * Changes settings of a provider while payments go on: each process authenticates with the new ones within a second, and
   * results of challenges that were begun before are taken.
   *
   * @param settings The ones that change.
   */
  update(name: ThreedsProviderName, settings: Partial<DirectorySettings>): Promise<ListedThreedsProvider>
  /** Removes a provider. Nothing is authenticated by it any more, and results of pending challenges are refused. */
  remove(name: ThreedsProviderName): Promise<ListedThreedsProvider>
}

/** @param certificateHeader The header that the platform reads client certificates from. */
export function manageThreeds(services: OperatorServices, certificateHeader: string | undefined): ThreedsManagement {
  const { db, clock } = services
  const toListed = ({ name, settings, createdAtMs }: DirectoryRow): ListedThreedsProvider => ({
    name,
    ...settings,
    resultsRefused: whyRefused(settings, certificateHeader),
    createdAt: new Date(createdAtMs).toISOString(),
  })
  async function found(name: ThreedsProviderName, todo: 'change' | 'remove'): Promise<DirectoryRow> {
    const row = await findDirectoryRow(name, db)
    if (row !== null) return row
    throw new OperatorError(`The provider '${name}' is not configured, so there is nothing to ${todo}.`)
  }

  return {
    async add({ name, settings }) {
      if ((await findDirectoryRow(name, db)) !== null) {
        throw new OperatorError(
          `The provider '${name}' is configured already; change it with "tillwright threeds update ${name}".`,
        )
      }
      const row = { name, settings: await checkDirectorySettings(settings), createdAtMs: clock.now() }
      const recorded = recordProvider('threeds.addProvider', { name, after: row.settings }, services)
      await commit([insertDirectoryRow(row), ...recorded], services)
      return toListed(row)
    },
    async list() {
      return (await listDirectoryRows(db)).map(toListed)
    },
    async update(name, settings) {
      const before = await found(name, 'change')
      const row = { ...before, settings: await checkDirectorySettings({ ...before.settings, ...settings }) }
      const change = { name, before: before.settings, after: row.settings }
      await commit([updateDirectoryRow(row), ...recordProvider('threeds.updateProvider', change, services)], services)
      return toListed(row)
    },
    async remove(name) {
      const row = await found(name, 'remove')
      const recorded = recordProvider('threeds.removeProvider', { name, before: row.settings }, services)
      await commit([deleteDirectoryRow(name), ...recorded], services)
      return toListed(row)
    },
  }
}

/** Command-line names of the settings. */
const options: Readonly<Record<string, string>> = {
  serverReferenceNumber: '--server-reference-number',
  serverOperatorId: '--server-operator-id',
  requestorId: '--requestor-id',
  url: '--directory-url',
  networkUrls: '--directory-url',
  clientCertificate: '--client-certificate',
  clientKey: '--client-key',
  authorities: '--authorities',
  resultCertificates: '--result-certificates',
}

/**
 * A provider's settings, with files that can be read and belong together.
 *
 * @throws {OperatorError} Names the option that is to blame.
 */
export async function checkDirectorySettings(settings: DirectorySettings): Promise<DirectorySettings> {
  const checked = directorySettings.safeParse(settings, { error: ruleMessage })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new OperatorError(`${options[String(issue?.path[0])] ?? '--directory-url'}: ${issue?.message ?? 'is wrong'}.`)
  }
  await checkFiles(checked.data)
  await checkResultCertificates(checked.data)
  return checked.data
}

/** Reads the files as the platform will, so that unusable ones are reported now rather than at the first payment. */
async function checkFiles(settings: DirectorySettings): Promise<void> {
  try {
    createSecureContext(await readCertificates(settings))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `--client-certificate, --client-key, --authorities: the files cannot be used (${why}); name files in PEM, the key that of the certificate.`,
      { cause: error },
    )
  }
}

/** The ids of a transaction are no secret: the sender of its result is authenticated by a certificate. */
async function checkResultCertificates({ resultCertificates: path }: DirectorySettings): Promise<void> {
  if (path === null) {
    throw new OperatorError(
      '--result-certificates: name a file in PEM with the client certificates of the directory servers, which they show when they bring the results of challenges.',
    )
  }
  try {
    await readResultCertificates(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `--result-certificates: the file cannot be used (${why}); name one with certificates in PEM.`,
      {
        cause: error,
      },
    )
  }
}

/** A provider serves all accounts, so that the change is the platform's. */
interface ProviderChange {
  name: ThreedsProviderName
  before?: DirectorySettings
  after?: DirectorySettings
}

function recordProvider(operation: string, { name, ...changes }: ProviderChange, services: OperatorServices) {
  const resource = { type: 'threedsProvider', id: name }
  return recordCommand({ accountId: PLATFORM, operation, resource, ...changes }, services)
}
