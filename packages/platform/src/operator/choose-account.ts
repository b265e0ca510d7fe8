import { OperatorError } from '../ambient/operator-error.ts'
import type { Database } from '../storage/database.ts'

/**
 * The account that a command is about: the named one, or the only one there is.
 *
 * @throws {OperatorError} Where there is no such account, none at all, or several to choose from.
 */
export async function chooseAccount(db: Database, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    const rows = await db.read('SELECT id FROM accounts WHERE id = ?', [named])
    if (rows.length > 0) return named
    throw new OperatorError(
      `--account: there is no account '${named}'; "tillwright accounts list" shows those there are.`,
    )
  }
  const [only, another] = await db.read('SELECT id FROM accounts ORDER BY id LIMIT 2', [])
  if (only === undefined) {
    throw new OperatorError('There is no account yet; make one with "tillwright accounts create --name NAME".')
  }
  if (another !== undefined) {
    throw new OperatorError('--account: there are several accounts; name one that "tillwright accounts list" shows.')
  }
  return String(only['id'])
}
