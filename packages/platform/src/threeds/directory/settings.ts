import { isAbsolute } from 'node:path'
import type { ThreedsProviderName } from '@tillwright/contract'
import { type NetworkName, networkNames } from '@tillwright/contract/networks'
import { z } from 'zod'
import { type Database, type RowOf, rowReader, type Statement } from '../../storage/index.ts'
import { threedsProvidersTable } from '../tables.ts'

/** Source: EMV 3DS 2.2.0, threeDSServerRefNumber and threeDSServerOperatorID. */
const REFERENCE_MAX_CHARS = 32
/** Source: as above, threeDSRequestorID. */
const REQUESTOR_MAX_CHARS = 35
const PATH_MAX_CHARS = 4_096

const directoryUrl = z.url({ protocol: /^https$/, error: 'must be an https: address' }).max(2_048)
const reference = (max: number) =>
  z.string().min(1, `must have 1 to ${max} characters`).max(max, `must have 1 to ${max} characters`)
const file = z
  .string()
  .max(PATH_MAX_CHARS, `must have up to ${PATH_MAX_CHARS} characters`)
  .refine(isAbsolute, 'must be an absolute path, so that the platform finds it wherever it was started')

/**
 * An operator's settings for a 3-D Secure provider, stored as JSON in the provider's row. The acquirer is not part of
 * them: it belongs to the merchant of a processor.
 */
export const directorySettings = z
  .object({
    /** This 3DS server's reference number at the directory. */
    serverReferenceNumber: reference(REFERENCE_MAX_CHARS),
    serverOperatorId: reference(REFERENCE_MAX_CHARS).nullable().default(null),
    /** The id that the directory has given to the shop that asks; `null` for the account's own. */
    requestorId: reference(REQUESTOR_MAX_CHARS).nullable().default(null),
    /** The directory server of all networks that have none of their own in `networkUrls`; `null` for none. */
    url: directoryUrl.nullable().default(null),
    networkUrls: z.partialRecord(z.enum(networkNames), directoryUrl).default({}),
    /** Files in PEM that the platform shows itself with; both or neither. */
    clientCertificate: file.nullable().default(null),
    clientKey: file.nullable().default(null),
    /** The certificates that the directories' are checked against, a file in PEM; `null` for the machine's own. */
    authorities: file.nullable().default(null),
    /**
     * The certificates of the directory servers that results are taken from, one or several in a file in PEM; `null` for
     * none, so that no challenge ends well.
     */
    resultCertificates: file.nullable().default(null),
  })
  .refine(({ url, networkUrls }) => url !== null || Object.keys(networkUrls).length > 0, {
    path: ['url'],
    error: 'must be given, for all networks or for one of them',
  })
  .refine(({ clientCertificate, clientKey }) => (clientCertificate === null) === (clientKey === null), {
    path: ['clientKey'],
    error: 'goes with --client-certificate; give both or neither',
  })
export type DirectorySettings = z.output<typeof directorySettings>

/**
 * The directory server of a card's network.
 *
 * @param brand The card's, as the vault names it.
 * @throws {Error} When the operator has named none for it.
 */
export function directoryUrlOf({ url, networkUrls }: DirectorySettings, brand: string): string {
  const own = new Map<string, string>(Object.entries(networkUrls)).get(brand) ?? url
  if (own !== null) return own
  throw new Error(`The provider has no directory server for the network ${brand}.`)
}

/** The networks that a configured provider has a directory server for; `null` for all. */
export async function configuredNetworks(name: ThreedsProviderName, db: Database): Promise<NetworkName[] | null> {
  const row = await findDirectoryRow(name, db)
  if (row === null) return []
  const { url, networkUrls } = row.settings
  return url === null ? networkNames.filter((network) => networkUrls[network] !== undefined) : null
}

/** A provider as an operator has configured it. There is one of each name, for all accounts. */
export interface DirectoryRow {
  name: ThreedsProviderName
  settings: DirectorySettings
  createdAtMs: number
}

/** All providers that are configured. */
export async function listDirectoryRows(db: Database): Promise<DirectoryRow[]> {
  const rows = await db.read('SELECT name, settings, created_at FROM threeds_providers ORDER BY name', [])
  return readProviders(rows).map(fromRow)
}

/** The provider of a name, or `null`. */
export async function findDirectoryRow(name: ThreedsProviderName, db: Database): Promise<DirectoryRow | null> {
  const rows = await db.read('SELECT name, settings, created_at FROM threeds_providers WHERE name = ?', [name])
  return readProviders(rows).map(fromRow)[0] ?? null
}

const readProviders = rowReader(threedsProvidersTable)

/** The statement that records a provider; a duplicate when there is one of the name. */
export function insertDirectoryRow({ name, settings, createdAtMs }: DirectoryRow): Statement {
  return {
    sql: 'INSERT INTO threeds_providers (name, settings, created_at) VALUES (?, ?, ?)',
    params: [name, JSON.stringify(settings), createdAtMs],
  }
}

export function updateDirectoryRow({ name, settings }: Pick<DirectoryRow, 'name' | 'settings'>): Statement {
  return {
    sql: 'UPDATE threeds_providers SET settings = ? WHERE name = ?',
    params: [JSON.stringify(settings), name],
    expect: 1,
  }
}

export function deleteDirectoryRow(name: ThreedsProviderName): Statement {
  return { sql: 'DELETE FROM threeds_providers WHERE name = ?', params: [name], expect: 1 }
}

function fromRow(row: RowOf<typeof threedsProvidersTable>): DirectoryRow {
  return {
    name: row.name,
    settings: directorySettings.parse(row.settings),
    createdAtMs: row.created_at,
  }
}
