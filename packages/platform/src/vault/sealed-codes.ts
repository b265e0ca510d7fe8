import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { CardOwner, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError, openWith, sealWith } from '../runtime/index.ts'
import { deleteSome, pick, type Row, rowReader, type Statement } from '../storage/index.ts'
import type { CodeKeys } from './code-keys.ts'
import { CODE_TTL_MS, foreignToken, spendToken, TOKEN_COLUMNS, tokenColumns } from './service-tokens.ts'
import { signedTokens } from './signed-tokens.ts'
import { securityCodesTable, type WalletApproval } from './tables.ts'

/**
 * Proof of a card for one payment, between the page and the payment: the security code that was typed, or a wallet's
 * cryptogram. Only living processes of the vault can open it.
 */
export interface SealedCode {
  keyId: string
  sealed: string
  expiresAtMs: number
  /** The buyer's approval in a wallet; only with a cryptogram. */
  approval: WalletApproval | null
}

/** Seals security codes and cryptograms, and opens them for the processor. */
export interface SecurityCodes {
  /** @param owner The card that the code was typed for: it opens for no other one. */
  seal(code: string, owner: CardOwner): Promise<SealedCode>
  /** @returns `null` when its time is over, or the processes that could open it are gone. */
  open(code: SealedCode, owner: CardOwner): Promise<string | null>
}

const NONCE_BYTES = 12

export function securityCodes({ clock, log }: Pick<Services, 'clock' | 'log'>, keys: CodeKeys): SecurityCodes {
  return {
    async seal(code, owner) {
      const expiresAtMs = clock.now() + CODE_TTL_MS
      const { id: keyId, key } = await keys.current()
      const nonce = randomBytes(NONCE_BYTES)
      return {
        keyId,
        expiresAtMs,
        approval: null,
        sealed: sealWith(key, Buffer.from(code), { bound: boundTo(owner, expiresAtMs), nonce }),
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
export function keepCode(
  { accountId, codeId }: CodePlace,
  { keyId, sealed, expiresAtMs, approval }: SealedCode,
): Write {
  return {
    sql: 'INSERT INTO security_codes (account_id, id, key_id, sealed, approval, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    params: [accountId, codeId, keyId, sealed, approval && JSON.stringify(approval), expiresAtMs],
  }
}

/**
 * The statement that takes a code out of the database, in the transaction that puts its first attempt on record: one
 * payment gets it, and none if that transaction is refused. `readTaken` reads what it returns.
 */
export function takeCode({ accountId, codeId }: CodePlace): Write {
  const sql =
    'DELETE FROM security_codes WHERE account_id = ? AND id = ? RETURNING key_id, sealed, approval, expires_at'
  return { sql, params: [accountId, codeId] }
}

/** The code that `takeCode` has returned, `null` where none waited. */
export function readTaken(rows: readonly Row[]): SealedCode | null {
  const [row] = readCodes(rows)
  if (row === undefined) return null
  const { key_id: keyId, sealed, approval, expires_at: expiresAtMs } = row
  return { keyId, sealed, expiresAtMs, approval }
}

const readCodes = rowReader(pick(securityCodesTable, 'key_id', 'sealed', 'approval', 'expires_at'))

/** The statement that lets a code wait on for a payment whose buyer has something to do first; its time goes on. */
export function moveCode({ accountId, codeId }: CodePlace, paymentId: string): Write {
  return {
    sql: 'UPDATE security_codes SET id = ? WHERE account_id = ? AND id = ?',
    params: [paymentId, accountId, codeId],
  }
}

/** Deletes codes that no payment has used. */
export function forgetCodes(nowMs: number): Statement {
  return deleteSome({ table: 'security_codes', key: 'account_id, id', where: 'expires_at < ?' }, [nowMs])
}

/**
 * Resolves the token of a saved card's security code to the name under which the code waits. `writes` spend
 * the token; they belong to the payment's first transaction.
 *
 * @param use The store, and the instrument to charge.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemSecurityCode(
  text: string,
  use: { storeId: string; paymentInstrumentId: string },
  context: Pick<RequestContext, 'services' | 'caller' | 'nowMs'>,
): Promise<{ codeId: string; writes: Write[] }> {
  const { services, caller, nowMs } = context
  const { jti, paymentInstrumentId } = verifySecurityCodeToken(text, services.secrets, nowMs)
  const [row] = readTokens(await services.db.read(selectToken, [caller.accountId, jti]))
  if (row === undefined) throw foreignToken('securityCodeToken')
  const write = spendToken(row, { param: 'securityCodeToken', jti, storeId: use.storeId }, context)
  if (paymentInstrumentId !== use.paymentInstrumentId) {
    throw new ApiError(
      'token_invalid',
      'This securityCodeToken was made for another payment instrument; pay with the one that the buyer has chosen.',
      { param: 'securityCodeToken' },
    )
  }
  return { codeId: jti, writes: [write] }
}

const selectToken = `SELECT ${TOKEN_COLUMNS} FROM card_tokens WHERE account_id = ? AND id = ?`
const readTokens = rowReader(tokenColumns)

/** How long a token is good for: as long as the code itself waits. */
export const SECURITY_CODE_TTL_S = 15 * 60

/** The content of a token for a saved card's security code. Does not contain the code itself. */
export interface SecurityCodeToken {
  v: 1
  type: 'security_code'
  provider: 'tillwright'
  /** The one instrument that it may be used with. */
  paymentInstrumentId: string
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The id of this one token, under which the code waits and by which a second use is refused. */
  jti: string
}

const fields = z.strictObject({
  v: z.literal(1),
  type: z.literal('security_code'),
  provider: z.literal('tillwright'),
  paymentInstrumentId: z.string(),
  exp: z.int(),
  jti: z.string(),
})

/** Signs tokens of security codes, and reads those that this vault has signed. */
export const { sign: signSecurityCodeToken, verify: verifySecurityCodeToken } = signedTokens<SecurityCodeToken>({
  param: 'securityCodeToken',
  purpose: 'security code token',
  schema: fields,
  spelling: ({ v, type, provider, paymentInstrumentId, exp, jti }) => [
    v,
    type,
    provider,
    paymentInstrumentId,
    exp,
    jti,
  ],
})
