import type { Services } from '../request-context.ts'
import { OperatorError } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import type { CardKeys } from './card-vault.ts'
import { vaultKeysTable } from './tables.ts'

/** Thrown when a vault's cards were stored under another key than the platform was started with. */
export class WrongVaultKey extends OperatorError {
  override readonly name = 'WrongVaultKey'
}

/**
 * Refuses to start on a vault that was filled under another master key: its cards could not be read, and new ones would
 * be stored under a key that the operator may not have meant.
 *
 * @throws {WrongVaultKey}
 */
export async function checkMasterKey({ db, cardKeys }: Pick<Services, 'db'> & CardKeys): Promise<void> {
  const rows = await db.read('SELECT DISTINCT master_key_id FROM vault_keys', [])
  const known = readKeyIds(rows).map((row) => row.master_key_id)
  if (known.length === 0 || known.includes(cardKeys.keyId)) return
  throw new WrongVaultKey(
    `TILLWRIGHT_VAULT_KEY: this vault was filled under the key ${known.join(', ')}, and the one given is ` +
      `${cardKeys.keyId} (the first 8 hex digits of its SHA-256). Start with the right key.`,
  )
}

const readKeyIds = rowReader(pick(vaultKeysTable, 'master_key_id'))
