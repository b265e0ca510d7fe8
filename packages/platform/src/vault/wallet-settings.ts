import { createPrivateKey } from 'node:crypto'
import type { WalletName } from '@tillwright/contract'
import { z } from 'zod'
import { type SealedColumn, sealedColumn } from '../keys/index.ts'
import type { Services, Write } from '../request-context.ts'
import { type Database, rowReader } from '../storage/index.ts'
import { walletsTable } from './tables.ts'
import type { AppleIdentity, AppleMerchant, GoogleRecipient } from './wallets/index.ts'

/** A key of a wallet as it may be shown. */
const shownKey = z.object({ id: z.string(), addedAt: z.string(), expiresAt: z.string().nullable() })
export type ShownWalletKey = z.output<typeof shownKey>

const appleSettings = z.object({
  wallet: z.literal('apple_pay'),
  merchantIdentifier: z.string(),
  merchantName: z.string(),
  /** The file by which Apple knows the merchant's domains; `null` where no page of a plugin takes Apple Pay. */
  domainAssociation: z.string().nullable(),
  /** Until when the merchant identity certificate is good, ISO 8601. */
  identityExpiresAt: z.string(),
  keys: z.array(shownKey),
})

const googleSettings = z.object({
  wallet: z.literal('google_pay'),
  merchantId: z.string(),
  merchantName: z.string(),
  /** The newest is the one that pages have Google encrypt to. */
  keys: z.array(shownKey),
})

/** A wallet of an account, as operators see it. */
export const walletSettings = z.discriminatedUnion('wallet', [appleSettings, googleSettings])
export type WalletSettings = z.output<typeof walletSettings>
export type AppleSettings = z.output<typeof appleSettings>
export type GoogleSettings = z.output<typeof googleSettings>

/** Its sealed part: private keys by the ids of `keys`, PKCS #8 in PEM, and Apple's certificate of the merchant. */
const walletSecrets = z.object({
  privateKeys: z.record(z.string(), z.string()),
  identity: z.object({ certificate: z.string(), privateKey: z.string() }).nullable(),
})
export type WalletSecrets = z.output<typeof walletSecrets>

/** A wallet of an account with its keys. */
export interface StoredWallet<Settings extends WalletSettings = WalletSettings> {
  accountId: string
  settings: Settings
  secrets: WalletSecrets
}

const PURPOSE = 'wallet keys'

/** Sealed columns of `wallets`, under the key of secrets, for key rotation. */
export const sealedWalletKeys: readonly SealedColumn[] = [
  sealedColumn({
    ring: 'secrets',
    table: 'wallets',
    column: 'sealed_keys',
    keyedBy: 'account and id',
    purpose: PURPOSE,
    boundTo: ({ accountId, id }) => boundTo(accountId, id),
  }),
]

function boundTo(accountId: string, wallet: string): string {
  return `${accountId}/${wallet}`
}

/** The statement that keeps a wallet, in place of what the account had of it. */
export function keepWallet(
  { accountId, settings, secrets }: StoredWallet,
  { nowMs, services }: { nowMs: number; services: Pick<Services, 'secrets'> },
): Write {
  const { wallet } = settings
  const sealed = services.secrets.seal(PURPOSE, Buffer.from(JSON.stringify(secrets)), boundTo(accountId, wallet))
  return {
    sql: `INSERT INTO wallets (account_id, id, settings, sealed_keys, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (account_id, id) DO UPDATE SET settings = excluded.settings, sealed_keys = excluded.sealed_keys,
        updated_at = excluded.updated_at`,
    params: [accountId, wallet, JSON.stringify(settings), sealed, nowMs, nowMs],
  }
}

/** The statement that removes a wallet with its keys. */
export function removeWallet(accountId: string, wallet: WalletName): Write {
  return { sql: 'DELETE FROM wallets WHERE account_id = ? AND id = ?', params: [accountId, wallet], expect: 1 }
}

/** The wallets of an account, without their keys. */
export async function listWallets(accountId: string, db: Database): Promise<WalletSettings[]> {
  const rows = readWallets(await db.read('SELECT * FROM wallets WHERE account_id = ? ORDER BY id', [accountId]))
  return rows.map(({ settings }) => walletSettings.parse(settings))
}

/** The wallets of all accounts, without their keys. */
export async function listAllWallets(db: Database): Promise<{ accountId: string; settings: WalletSettings }[]> {
  const rows = readWallets(await db.read('SELECT * FROM wallets ORDER BY account_id, id', []))
  return rows.map((row) => ({ accountId: row.account_id, settings: walletSettings.parse(row.settings) }))
}

/** A wallet of an account with its keys, `null` where it does not take it. */
export async function findWallet(
  accountId: string,
  wallet: WalletName,
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
): Promise<StoredWallet | null> {
  const [row] = readWallets(await db.read('SELECT * FROM wallets WHERE account_id = ? AND id = ?', [accountId, wallet]))
  if (row === undefined) return null
  const opened = Buffer.from(secrets.open(PURPOSE, row.sealed_keys, boundTo(accountId, wallet))).toString()
  const settings = walletSettings.parse(row.settings)
  return { accountId, settings, secrets: walletSecrets.parse(JSON.parse(opened)) }
}

const readWallets = rowReader(walletsTable)

/** The file that Apple asks a merchant's domain for; `null` where the account has none. */
export async function findDomainAssociation(accountId: string, db: Database): Promise<string | null> {
  const [apple] = (await listWallets(accountId, db)).filter((each) => each.wallet === 'apple_pay')
  return apple?.wallet === 'apple_pay' ? apple.domainAssociation : null
}

/** The merchant identifier and the keys that open the tokens of Apple Pay. */
export function appleMerchant({ settings, secrets }: StoredWallet<AppleSettings>): AppleMerchant {
  return { merchantIdentifier: settings.merchantIdentifier, keys: keysOf({ settings, secrets }) }
}

function keysOf({ settings, secrets }: Pick<StoredWallet, 'settings' | 'secrets'>) {
  return settings.keys.flatMap(({ id }) => {
    const pem = secrets.privateKeys[id]
    return pem === undefined ? [] : [{ publicKeyHash: id, privateKey: createPrivateKey(pem) }]
  })
}

/** The recipient id and the keys that open the tokens of Google Pay. */
export function googleRecipient({ settings, secrets }: StoredWallet<GoogleSettings>): GoogleRecipient {
  const privateKeys = keysOf({ settings, secrets }).map(({ privateKey }) => privateKey)
  return { recipientId: `merchant:${settings.merchantId}`, privateKeys }
}

/** The merchant's certificate for Apple. */
export function identityOf({ secrets }: StoredWallet): AppleIdentity | null {
  return secrets.identity
}
