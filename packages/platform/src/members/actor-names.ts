import { type Caller, readsMembers } from '../request-context.ts'
import { among, type Database, nullable, rowReader, text } from '../storage/index.ts'

/** The reader of names. Members' names are only for readers who may read members. */
export type Reader = Pick<Caller, 'accountId' | 'kind' | 'roles' | 'scopes'>

/** The names of keys by their ids, and of members for a reader who may read them. */
export async function actorNames(
  ids: readonly string[],
  reader: Reader,
  db: Database,
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { sql, params } = among(ids)
  const { accountId } = reader
  const [members, keys] = await Promise.all([
    readsMembers(reader) ? db.read(`${selectMembers} ${sql}`, [accountId, ...params]) : [],
    db.read(`${selectKeys} ${sql}`, [accountId, ...params]),
  ])
  return new Map(readNames([...members, ...keys]).map(({ id, name }) => [id, name]))
}

const selectMembers = 'SELECT id, COALESCE(name, email) AS name FROM members WHERE account_id = ? AND id'
const selectKeys = 'SELECT id, name FROM api_keys WHERE account_id = ? AND id'

const readNames = rowReader({ id: text, name: nullable(text) })
