import { hash } from 'node:crypto'
import type { Services, Write } from '../request-context.ts'
import { newId } from '../runtime/index.ts'
import { type Database, type RowOf, rowReader } from '../storage/index.ts'
import type { MemberKey } from './ceremonies.ts'
import type { OpenIdPerson } from './openid-provider.ts'
import { identitiesTable, passkeysTable } from './tables.ts'

/** A public key that a member signs in with. */
export type PasskeyRow = RowOf<typeof passkeysTable>

const readPasskeys = rowReader(passkeysTable)

/** The passkeys of a member, oldest first. */
export async function passkeysOf(accountId: string, memberId: string, db: Database): Promise<PasskeyRow[]> {
  const sql = 'SELECT * FROM passkeys WHERE account_id = ? AND member_id = ? ORDER BY created_at, id'
  return readPasskeys(await db.read(sql, [accountId, memberId]))
}

/** The passkey with the id that its authenticator gave it; `null` for none. */
export async function findPasskey(credentialId: string, db: Database): Promise<PasskeyRow | null> {
  const [row] = readPasskeys(await db.read('SELECT * FROM passkeys WHERE credential_id = ?', [credentialId]))
  return row ?? null
}

/** A passkey as an authenticator has registered it. */
export type NewPasskey = Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>

/** The statement that stores a passkey. */
export function insertPasskey(
  passkey: NewPasskey,
  { clock, randomness }: Pick<Services, 'clock' | 'randomness'>,
): Write {
  const nowMs = clock.now()
  return {
    sql: `INSERT INTO passkeys (account_id, id, member_id, credential_id, public_key, counter, transports, name, backed_up,
        created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      passkey.account_id,
      newId('psk', nowMs, randomness),
      passkey.member_id,
      passkey.credential_id,
      passkey.public_key,
      passkey.counter,
      JSON.stringify(passkey.transports),
      passkey.name,
      Number(passkey.backed_up),
      nowMs,
    ],
  }
}

/** Notes a use of a passkey. Of two uses with the same counter, the second is refused: one of them is a copy. */
export function noteUseOfPasskey(passkey: PasskeyRow, counter: number, nowMs: number): Write {
  return {
    sql: `UPDATE passkeys SET counter = ?, last_used_at = ?
      WHERE account_id = ? AND id = ? AND (counter < ? OR counter = 0)`,
    params: [counter, nowMs, passkey.account_id, passkey.id, counter],
    expect: 1,
  }
}

/** An account at the OpenID Connect provider that a member signs in with. */
export type IdentityRow = RowOf<typeof identitiesTable>

const readIdentities = rowReader(identitiesTable)

/** The identities of a member, oldest first. */
export async function identitiesOf({ accountId, memberId }: MemberKey, db: Database): Promise<IdentityRow[]> {
  const sql = 'SELECT * FROM member_identities WHERE account_id = ? AND member_id = ? ORDER BY created_at, id'
  return readIdentities(await db.read(sql, [accountId, memberId]))
}

/** The identity that a person has linked to a member; `null` for none. Never by an e-mail address. */
export async function findIdentity(
  { issuer, subject }: Omit<OpenIdPerson, 'email'>,
  db: Database,
): Promise<IdentityRow | null> {
  const rows = await db.read('SELECT * FROM member_identities WHERE issuer = ? AND subject = ?', [issuer, subject])
  return readIdentities(rows)[0] ?? null
}

/** The statement that links a person at the provider to a member. */
export function insertIdentity(
  { accountId, memberId }: MemberKey,
  { issuer, subject, email }: OpenIdPerson,
  { clock, randomness }: Pick<Services, 'clock' | 'randomness'>,
): Write {
  const nowMs = clock.now()
  return {
    sql: `INSERT INTO member_identities (account_id, id, member_id, issuer, subject, email, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, newId('idn', nowMs, randomness), memberId, issuer, subject, email, nowMs],
  }
}

/** Notes a use of an identity. Refused when it was unlinked in the meantime. */
export function noteUseOfIdentity({ account_id: accountId, id }: IdentityRow, nowMs: number): Write {
  return {
    sql: 'UPDATE member_identities SET last_used_at = ? WHERE account_id = ? AND id = ?',
    params: [nowMs, accountId, id],
    expect: 1,
  }
}

/** How many recovery codes a member is given. */
const CODES = 10
/** Without letters and digits that are taken for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_CHARS = 16

/** Makes ten recovery codes in place of those of before. A code has 80 random bits, so SHA-256 is enough to keep it. */
export function newRecoveryCodes(
  { accountId, memberId }: { accountId: string; memberId: string },
  { randomness }: Pick<Services, 'randomness'>,
): { codes: string[]; writes: Write[] } {
  const codes = Array.from({ length: CODES }, () => {
    const text = Array.from(randomness.bytes(CODE_CHARS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return text.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
  const former = {
    sql: 'DELETE FROM recovery_codes WHERE account_id = ? AND member_id = ?',
    params: [accountId, memberId],
  }
  const added = codes.map((code) => ({
    sql: 'INSERT INTO recovery_codes (account_id, member_id, hash) VALUES (?, ?, ?)',
    params: [accountId, memberId, hashRecoveryCode(code)],
  }))
  return { codes, writes: [former, ...added] }
}

/** The hash of a code, however it was typed. */
export function hashRecoveryCode(typed: string): string {
  return hash('sha256', typed.toLowerCase().replaceAll(/[^0-9a-z]/g, ''))
}

/** Uses up a code. Refused when it was used before. */
export function useRecoveryCode(accountId: string, memberId: string, hashed: string): Write {
  return {
    sql: 'DELETE FROM recovery_codes WHERE account_id = ? AND member_id = ? AND hash = ?',
    params: [accountId, memberId, hashed],
    expect: 1,
  }
}

/** How many codes a member has left. */
export async function countRecoveryCodes(accountId: string, memberId: string, db: Database): Promise<number> {
  const sql = 'SELECT hash FROM recovery_codes WHERE account_id = ? AND member_id = ?'
  return (await db.read(sql, [accountId, memberId])).length
}
