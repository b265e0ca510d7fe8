import { randomBytes } from 'node:crypto'
import type { CardOwner, Services, Write } from '../request-context.ts'
import { openWith, sealWith } from '../runtime/index.ts'
import { pick, type Row, rowReader, type Statement } from '../storage/index.ts'
import type { CodeKeys } from './code-keys.ts'
import { CODE_TTL_MS } from './service-tokens.ts'
import { securityCodesTable } from './tables.ts'

/** A security code between the card form and its payment. Only living processes of the vault can open it. */
export interface SealedCode {
  keyId: string
  sealed: string
  expiresAtMs: number
}

/** Seals security codes, and opens them for the processor. */
export interface SecurityCodes {
  /** @param owner The card that the code was typed for: it opens for no other one. */
  seal(cvc: string, owner: CardOwner): Promise<SealedCode>
  /** @returns `null` when its time is over, or the processes that could open it are gone. */
  open(code: SealedCode, owner: CardOwner): Promise<string | null>
}

const NONCE_BYTES = 12

export function securityCodes({ clock, log }: Pick<Services, 'clock' | 'log'>, keys: CodeKeys): SecurityCodes {
  return {
    async seal(cvc, owner) {
      const expiresAtMs = clock.now() + CODE_TTL_MS
      const { id: keyId, key } = await keys.current()
      const nonce = randomBytes(NONCE_BYTES)
      return {
        keyId,
        expiresAtMs,
        sealed: sealWith(key, Buffer.from(cvc), { bound: boundTo(owner, expiresAtMs), nonce }),
      }
    },
    async open({ keyId, sealed, expiresAtMs }, owner) {
      if (expiresAtMs <= clock.now()) return null
      const found = await keys.find(keyId)
      const { accountId, cardId } = owner
      if (found === null) {
        log.warn({ accountId, cardId }, 'a security code is lost: the processes that could open it have ended')
        return null
      }
      try {
        return Buffer.from(openWith(found.key, sealed, boundTo(owner, expiresAtMs))).toString()
      } catch {
        log.error({ accountId, cardId }, 'a security code was altered in the database, and is not sent')
        return null
      }
    },
  }
}

function boundTo({ accountId, cardId }: CardOwner, expiresAtMs: number): string {
  return JSON.stringify([accountId, cardId, expiresAtMs])
}

/** Under which name a code waits: the id of the card that it was typed with, of its own token, or of a payment. */
export interface CodePlace {
  accountId: string
  codeId: string
}

/** The statement that keeps a sealed code until its payment. */
export function keepCode({ accountId, codeId }: CodePlace, { keyId, sealed, expiresAtMs }: SealedCode): Write {
  return {
    sql: 'INSERT INTO security_codes (account_id, id, key_id, sealed, expires_at) VALUES (?, ?, ?, ?, ?)',
    params: [accountId, codeId, keyId, sealed, expiresAtMs],
  }
}

/**
 * The statement that takes a code out of the database, in the unit that puts its first attempt on record: one payment
 * gets it, and none if that unit is refused. `readTaken` reads what it returns.
 */
export function takeCode({ accountId, codeId }: CodePlace): Write {
  const sql = 'DELETE FROM security_codes WHERE account_id = ? AND id = ? RETURNING key_id, sealed, expires_at'
  return { sql, params: [accountId, codeId] }
}

/** The code that `takeCode` has returned, `null` where none waited. */
export function readTaken(rows: readonly Row[]): SealedCode | null {
  const [row] = readCodes(rows)
  return row === undefined ? null : { keyId: row.key_id, sealed: row.sealed, expiresAtMs: row.expires_at }
}

const readCodes = rowReader(pick(securityCodesTable, 'key_id', 'sealed', 'expires_at'))

/** The statement that lets a code wait on for a payment whose buyer has something to do first; its time goes on. */
export function moveCode({ accountId, codeId }: CodePlace, paymentId: string): Write {
  return {
    sql: 'UPDATE security_codes SET id = ? WHERE account_id = ? AND id = ?',
    params: [paymentId, accountId, codeId],
  }
}

/** Deletes codes that nobody has paid with. */
export function forgetCodes(nowMs: number): Statement {
  return { sql: 'DELETE FROM security_codes WHERE expires_at < ?', params: [nowMs] }
}
