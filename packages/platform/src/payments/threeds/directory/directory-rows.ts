import type { ThreedsProviderName } from '@tillwright/contract'
import type { Database, Row, Statement } from '../../../storage/database.ts'
import { directorySettings, type DirectorySettings } from './directory-settings.ts'

/** A provider as an operator has configured it. There is one of each name, for all accounts. */
export interface DirectoryRow {
  name: ThreedsProviderName
  settings: DirectorySettings
  createdAtMs: number
}

/** All providers that are configured. */
export async function listDirectoryRows(db: Database): Promise<DirectoryRow[]> {
  const rows = await db.read('SELECT name, settings, created_at FROM threeds_providers ORDER BY name', [])
  return rows.map(fromRow)
}

/** The provider of a name, or `null`. */
export async function findDirectoryRow(name: ThreedsProviderName, db: Database): Promise<DirectoryRow | null> {
  const [row] = await db.read('SELECT name, settings, created_at FROM threeds_providers WHERE name = ?', [name])
  return row === undefined ? null : fromRow(row)
}

/** The statement that records a provider; a duplicate when there is one of the name. */
export function insertDirectoryRow({ name, settings, createdAtMs }: DirectoryRow): Statement {
  return {
    sql: 'INSERT INTO threeds_providers (name, settings, created_at) VALUES (?, ?, ?)',
    params: [name, JSON.stringify(settings), createdAtMs],
  }
}

export function deleteDirectoryRow(name: ThreedsProviderName): Statement {
  return { sql: 'DELETE FROM threeds_providers WHERE name = ?', params: [name], expect: 1 }
}

function fromRow(row: Row): DirectoryRow {
  return {
    name: String(row['name']) as ThreedsProviderName, // written from this union alone
    settings: directorySettings.parse(JSON.parse(String(row['settings']))),
    createdAtMs: Number(row['created_at']),
  }
}
