import type { WalletName } from '@tillwright/contract'
import { commit } from '../http/index.ts'
import { OperatorError } from '../runtime/index.ts'
import {
  findWallet,
  keepWallet,
  listWallets,
  readGoogleKey,
  readIdentity,
  readProcessingKey,
  removeWallet,
  type ShownWalletKey,
  type StoredWallet,
  WalletKeyFault,
  type WalletSettings,
} from '../vault/index.ts'
import { chooseAccount } from './accounts.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** A wallet that an account is to take. Keys are the text of PEM files. `account` may be left out where there is one. */
export type WantedWallet = { account?: string | undefined; merchantName: string } & (
  | {
      wallet: 'apple_pay'
      merchantIdentifier: string
      /** Payment processing certificate and its key. */
      key: string
      /** Merchant identity certificate and its key. */
      identity: string
      domainAssociation: string | null
    }
  | {
      wallet: 'google_pay'
      merchantId: string
      /** The private key. */
      key: string
    }
)

/** Replacements in a wallet: a new key next to the former ones, or the merchant's identity at Apple. */
export interface WalletRotation {
  account?: string | undefined
  wallet: WalletName
  key?: string | undefined
  identity?: string | undefined
  domainAssociation?: string | undefined
}

/** Operator commands for the wallets that accounts take. Private keys are sealed, and never shown. */
export interface WalletManagement {
  add(wanted: WantedWallet): Promise<WalletSettings>
  list(account: string | undefined): Promise<WalletSettings[]>
  /** A new key is the one that pages use from now on; the former ones open what is under way until they are removed. */
  rotate(rotation: WalletRotation): Promise<WalletSettings>
  /** Removes a former key. */
  removeKey(id: string, of: { account?: string | undefined; wallet: WalletName }): Promise<WalletSettings>
  /** The account takes the wallet no more, and its keys are gone. */
  remove(wallet: WalletName, account: string | undefined): Promise<WalletSettings>
}

/** The longest file of keys that is read. */
const KEY_FILE_MAX_CHARS = 65_536

export function manageWallets(services: OperatorServices): WalletManagement {
  const { db, clock } = services

  async function found(wallet: WalletName, account: string | undefined): Promise<StoredWallet> {
    const accountId = await chooseAccount(db, account)
    const stored = await findWallet(accountId, wallet, services)
    if (stored !== null) return stored
    throw new OperatorError(`The account takes no ${wallet}; "tillwright wallets add ${wallet}" makes it do so.`)
  }

  async function keep(stored: StoredWallet, operation: string, before?: WalletSettings): Promise<WalletSettings> {
    const { accountId, settings } = stored
    const resource = { type: 'wallet', id: settings.wallet }
    const recorded = recordCommand(
      { accountId, operation, resource, ...(before && { before }), after: settings },
      services,
    )
    await commit([keepWallet(stored, { nowMs: clock.now(), services }), ...recorded], services)
    return settings
  }

  return {
    async add(wanted) {
      const accountId = await chooseAccount(db, wanted.account)
      if ((await findWallet(accountId, wanted.wallet, services)) !== null) {
        throw new OperatorError(
          `The account takes ${wanted.wallet} already; "tillwright wallets rotate ${wanted.wallet}" replaces its keys.`,
        )
      }
      return keep({ accountId, ...newWallet(wanted, clock.now()) }, 'wallets.add')
    },
    async list(account) {
      return listWallets(await chooseAccount(db, account), db)
    },
    async rotate({ account, wallet, ...parts }) {
      const stored = await found(wallet, account)
      return keep(rotated(stored, parts, clock.now()), 'wallets.rotate', stored.settings)
    },
    async removeKey(id, { account, wallet }) {
      const stored = await found(wallet, account)
      return keep(withoutKey(stored, id), 'wallets.removeKey', stored.settings)
    },
    async remove(wallet, account) {
      const { accountId, settings } = await found(wallet, account)
      const resource = { type: 'wallet', id: wallet }
      const recorded = recordCommand({ accountId, operation: 'wallets.remove', resource, before: settings }, services)
      await commit([removeWallet(accountId, wallet), ...recorded], services)
      return settings
    },
  }
}

type Kept = Omit<StoredWallet, 'accountId'>

function newWallet(wanted: WantedWallet, nowMs: number): Kept {
  const merchantName = checked('--merchant-name', wanted.merchantName, {
    form: /^\S(.{0,62}\S)?$/,
    rule: 'have 1 to 64 characters',
  })
  if (wanted.wallet === 'google_pay') {
    const merchantId = checked('--merchant-id', wanted.merchantId, {
      form: /^[A-Za-z0-9]{6,40}$/,
      rule: 'be the id that Google shows',
    })
    const { shown, privateKeys } = newKey('google_pay', wanted.key, { nowMs, merchantIdentifier: '' })
    const settings = { wallet: wanted.wallet, merchantId, merchantName, keys: [shown] }
    return { settings, secrets: { privateKeys, identity: null } }
  }
  const merchantIdentifier = checked('--merchant-identifier', wanted.merchantIdentifier, {
    form: /^merchant\.[A-Za-z0-9.-]{1,200}$/,
    rule: 'begin with "merchant.", as Apple shows it',
  })
  const { shown, privateKeys } = newKey('apple_pay', wanted.key, { nowMs, merchantIdentifier })
  const { expiresAt, ...identity } = inTermsOf('--identity', () => readIdentity(limited('--identity', wanted.identity)))
  const settings = {
    wallet: wanted.wallet,
    merchantIdentifier,
    merchantName,
    domainAssociation: checkedAssociation(wanted.domainAssociation),
    identityExpiresAt: expiresAt,
    keys: [shown],
  }
  return { settings, secrets: { privateKeys, identity } }
}

function rotated(stored: StoredWallet, parts: Omit<WalletRotation, 'wallet' | 'account'>, nowMs: number): StoredWallet {
  const { key, identity, domainAssociation } = parts
  if (key === undefined && identity === undefined && domainAssociation === undefined) {
    throw new OperatorError('Name what is new: --key, or for Apple Pay --identity or --domain-association.')
  }
  const { settings, secrets } = key === undefined ? stored : withKey(stored, key, nowMs)
  if (settings.wallet === 'google_pay') {
    if (identity === undefined && domainAssociation === undefined) return { ...stored, settings, secrets }
    throw new OperatorError('--identity and --domain-association are of Apple Pay; Google Pay has a --key alone.')
  }
  const read =
    identity === undefined ? null : inTermsOf('--identity', () => readIdentity(limited('--identity', identity)))
  return {
    ...stored,
    settings: {
      ...settings,
      ...(domainAssociation !== undefined && { domainAssociation: checkedAssociation(domainAssociation) }),
      ...(read !== null && { identityExpiresAt: read.expiresAt }),
    },
    secrets: {
      ...secrets,
      ...(read !== null && { identity: { certificate: read.certificate, privateKey: read.privateKey } }),
    },
  }
}

function withKey(stored: StoredWallet, pem: string, nowMs: number): StoredWallet {
  const { settings, secrets } = stored
  const merchantIdentifier = settings.wallet === 'apple_pay' ? settings.merchantIdentifier : ''
  const { shown, privateKeys } = newKey(settings.wallet, pem, { nowMs, merchantIdentifier })
  if (settings.keys.some(({ id }) => id === shown.id))
    throw new OperatorError('--key: the wallet has this key already.')
  return {
    ...stored,
    settings: { ...settings, keys: [...settings.keys, shown] },
    secrets: { ...secrets, privateKeys: { ...secrets.privateKeys, ...privateKeys } },
  }
}

function withoutKey(stored: StoredWallet, id: string): StoredWallet {
  const { settings, secrets } = stored
  if (settings.keys.every((key) => key.id !== id)) {
    throw new OperatorError(`The wallet has no key '${id}'; "tillwright wallets list" shows those it has.`)
  }
  if (settings.keys.length === 1) {
    throw new OperatorError(
      `It is the only key; add another with "tillwright wallets rotate" first, or remove the wallet.`,
    )
  }
  const { [id]: _, ...privateKeys } = secrets.privateKeys
  const keys = settings.keys.filter((key) => key.id !== id)
  return { ...stored, settings: { ...settings, keys }, secrets: { ...secrets, privateKeys } }
}

function newKey(
  wallet: WalletName,
  pem: string,
  { nowMs, merchantIdentifier }: { nowMs: number; merchantIdentifier: string },
): { shown: ShownWalletKey; privateKeys: Record<string, string> } {
  const text = limited('--key', pem)
  const read = () => (wallet === 'apple_pay' ? readProcessingKey(text, merchantIdentifier) : readGoogleKey(text))
  const { id, privateKey, expiresAt } = inTermsOf('--key', read)
  return { shown: { id, addedAt: new Date(nowMs).toISOString(), expiresAt }, privateKeys: { [id]: privateKey } }
}

function limited(option: string, text: string): string {
  if (text.length <= KEY_FILE_MAX_CHARS) return text
  throw new OperatorError(`${option}: the file is too long to be one of keys.`)
}

/** Apple's file is one line, of hexadecimal digits today. */
function checkedAssociation(text: string | null): string | null {
  if (text === null) return null
  if (text.length > 0 && text.length <= 16_384 && /^[\x20-\x7e\s]+$/.test(text)) return text
  throw new OperatorError('--domain-association: must be the file that Apple offers for download, unchanged.')
}

function checked(option: string, text: string, { form, rule }: { form: RegExp; rule: string }): string {
  if (form.test(text)) return text
  throw new OperatorError(`${option}: must ${rule}.`)
}

function inTermsOf<Result>(option: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof WalletKeyFault) throw new OperatorError(`${option}: ${error.message}`)
    throw error
  }
}
