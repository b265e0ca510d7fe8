import type { Services } from '../../src/request-context.ts'
import type { PublicJwk } from '../../src/vault/jwe.ts'

/** The key that card frames encrypt to, as a running vault has it. */
export async function newestJwk({ db }: Pick<Services, 'db'>): Promise<PublicJwk> {
  const [row] = await db.read('SELECT public_jwk FROM vault_keys ORDER BY created_at DESC, id DESC LIMIT 1', [])
  return JSON.parse(String(row?.['public_jwk']))
}
