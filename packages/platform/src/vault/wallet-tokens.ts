import type { Contract, WalletName } from '@tillwright/contract'
import { hasExpired } from '@tillwright/contract/card-rules'
import type { Handler, Handlers, RequestContext, Services } from '../request-context.ts'
import { allowsOrigin, ApiError, base62 } from '../runtime/index.ts'
import type { CardTries } from './card-senders.ts'
import { brandOf, type CardRow, storeCard } from './cards.ts'
import { newFrameSession, readFrameSession } from './frame-sessions.ts'
import { keepCode, type SecurityCodes } from './sealed-codes.ts'
import { SERVICE_TOKEN_TTL_S, type ServiceToken, signServiceToken } from './service-tokens.ts'
import { recordToken, TOKEN_ID_CHARS } from './tokenize.ts'
import {
  appleMerchant,
  findWallet,
  googleRecipient,
  identityOf,
  listWallets,
  type StoredWallet,
  type WalletSettings,
} from './wallet-settings.ts'
import {
  askApple,
  type GoogleRootKey,
  isAppleAddress,
  openAppleToken,
  openGoogleToken,
  type WalletCard,
  WalletTokenRefused,
} from './wallets/index.ts'

/** Wallets that a simulator takes the place of, for accounts without wallets of their own. */
export interface SimulatedWallets {
  /** JavaScript that pages load: what Apple's and Google's scripts offer, with simulated sheets. */
  script: string
  /** Makes the token for what a sheet posts, `null` for anything else. */
  makeToken(text: string, nowMs: number): Promise<string | null>
  /** By which root, PEM, and by which keys its tokens are signed. */
  appleRoot: string
  googleRootKeys: readonly GoogleRootKey[]
  /** The merchant that its tokens are for, with the keys. */
  merchants: readonly Omit<StoredWallet, 'accountId'>[]
}

/** Services that wallets need. */
export interface WalletServices {
  codes: SecurityCodes
  cardTries: CardTries
  /** `null` in production, and wherever no simulator runs. */
  simulated: (SimulatedWallets & { scriptUrl: string }) | null
  googleRootKeys: { read(nowMs: number): Promise<readonly GoogleRootKey[]> }
  /** Asks Apple; the way out of this machine unless a test has another. */
  askApple?: typeof askApple
}

type Operations = Handlers<Contract['vault']>

/** The operations by which a page takes cards out of wallets. */
export function wallets(
  parts: WalletServices,
): Pick<Operations, 'readWallets' | 'createAppleSession' | 'createWalletToken'> {
  return {
    readWallets: readWallets(parts),
    createAppleSession: createAppleSession(parts),
    createWalletToken: createWalletToken(parts),
  }
}

function readWallets({ simulated }: WalletServices): Operations['readWallets'] {
  return async ({ query: { origin } }, { caller, services }) => {
    if (!isOfKey(origin, caller.allowedOrigins)) throw foreignPage()
    const own = await listWallets(caller.accountId, services.db)
    const isSimulated = own.length === 0 && simulated !== null
    const taken = isSimulated ? simulated.merchants.map(({ settings }) => settings) : own
    return {
      body: {
        session: newFrameSession({ keyId: caller.keyId, origin }, services),
        applePay: shownApple(taken),
        googlePay: shownGoogle(taken, services),
        simulator: isSimulated ? simulated.scriptUrl : null,
      },
    }
  }
}

function shownApple(taken: readonly WalletSettings[]) {
  const apple = taken.find(({ wallet }) => wallet === 'apple_pay')
  return apple === undefined ? null : { merchantName: apple.merchantName }
}

function shownGoogle(taken: readonly WalletSettings[], { environment }: Pick<Services, 'environment'>) {
  const google = taken.find((each) => each.wallet === 'google_pay')
  const newest = google?.keys.at(-1)
  if (google === undefined || newest === undefined) return null
  const { merchantId, merchantName } = google
  const googles = environment === 'production' ? ('PRODUCTION' as const) : ('TEST' as const)
  return { environment: googles, merchantId, merchantName, publicKey: newest.id }
}

function createAppleSession(parts: WalletServices): Operations['createAppleSession'] {
  return async ({ body: { session, origin, validationUrl } }, context) => {
    await admit({ session, origin }, parts, context)
    if (!isAppleAddress(validationUrl)) {
      const message =
        'validationUrl: must be an address at one of the hosts that Apple documents; pass on the validationURL of onvalidatemerchant, unchanged.'
      throw new ApiError('parameter_invalid', message, { param: 'validationUrl' })
    }
    const { wallet, isSimulated } = await requireWallet('apple_pay', parts, context)
    const identity = identityOf(wallet)
    if (wallet.settings.wallet !== 'apple_pay' || (identity === null && !isSimulated)) throw notTaken('apple_pay')
    const { merchantIdentifier, merchantName: displayName } = wallet.settings
    const merchant = { merchantIdentifier, displayName, domain: new URL(origin).hostname }
    if (identity === null) return { body: { merchantSession: JSON.stringify({ ...merchant, simulated: true }) } }
    const ask = parts.askApple ?? askApple
    const merchantSession = await ask(validationUrl, { ...merchant, identity }).catch((cause: unknown) => {
      const message =
        'Apple did not validate the merchant, so that nothing was charged; the log of the platform says what Apple answered.'
      throw new ApiError('upstream_failed', message, { cause })
    })
    return { body: { merchantSession } }
  }
}

/** Verifies and decrypts a wallet's token, stores the card, and returns a single-use service token for it. */
function createWalletToken(parts: WalletServices): Handler<Contract['vault']['createWalletToken']> {
  return async ({ body: { session, origin, wallet, token: text } }, context) => {
    const sessionId = await admit({ session, origin }, parts, context)
    const card = await openToken(text, wallet, { parts, context })
    if (hasExpired(card.expMonth, card.expYear, context.nowMs))
      throw new ApiError('expired_card', 'The card has expired; ask for another one.')
    const { kind, number, expMonth, expYear, messageId } = card
    const storable = { number, name: null, brand: brandOf(number), expMonth, expYear, kind, wallet }
    const { row, write } = await storeCard(storable, context.newId('card'), context)
    const token = tokenFor(row, context)
    const { last4, brand } = row
    return {
      body: {
        serviceToken: signServiceToken(token, context.services.secrets),
        wallet,
        card: { last4, brand, expYear, expMonth },
        expiresAt: new Date(token.exp * 1_000).toISOString(),
      },
      writes: [
        recordToken({ ...token, cardId: row.id, messageId, session: sessionId }, context),
        write,
        ...(await keptCryptogram(card, row.id, { parts, context })),
      ],
      change: { resource: { type: 'card', id: row.id }, after: { brand, last4, wallet } },
    }
  }
}

type Call = { parts: WalletServices; context: RequestContext }

/** The statement that keeps a cryptogram for its payment, as a security code is kept; none for a plain number. */
async function keptCryptogram(card: WalletCard, cardId: string, { parts, context }: Call) {
  if (card.cryptogram === null) return []
  const { accountId } = context.caller
  const { eci, approved } = card
  const sealed = await parts.codes.seal(card.cryptogram, { accountId, cardId })
  const approval = { eci, amount: approved?.amount ?? null, currency: approved?.currency ?? null }
  return [keepCode({ accountId, codeId: cardId }, { ...sealed, approval })]
}

async function openToken(text: string, wallet: WalletName, { parts, context }: Call): Promise<WalletCard> {
  const { wallet: stored, isSimulated } = await requireWallet(wallet, parts, context)
  const { settings, secrets } = stored
  const { nowMs } = context
  try {
    if (settings.wallet === 'apple_pay') {
      const root = isSimulated ? parts.simulated?.appleRoot : undefined
      return await openAppleToken(text, appleMerchant({ ...stored, settings, secrets }), { nowMs, root })
    }
    const rootKeys = (isSimulated && parts.simulated?.googleRootKeys) || (await googlesKeys(parts, nowMs))
    return openGoogleToken(text, googleRecipient({ ...stored, settings, secrets }), { nowMs, rootKeys })
  } catch (error) {
    if (error instanceof WalletTokenRefused) throw refusal(error, context)
    throw error
  }
}

async function googlesKeys({ googleRootKeys }: WalletServices, nowMs: number): Promise<readonly GoogleRootKey[]> {
  return googleRootKeys.read(nowMs).catch((cause: unknown) => {
    const message = 'The keys of Google could not be read, so that the card was not taken; try again.'
    throw new ApiError('upstream_failed', message, { cause })
  })
}

/** The error is for the shop's developer and describes the token's fault; a missing key goes to the operator's log. */
function refusal({ reason, message }: WalletTokenRefused, { services, caller }: RequestContext): ApiError {
  if (reason === 'unknown_key') {
    const { accountId } = caller
    services.log.warn(
      { accountId },
      `a wallet's token is not taken: ${message} "tillwright wallets list" shows the keys`,
    )
  }
  const code = reason === 'expired' ? 'token_expired' : 'token_invalid'
  return new ApiError(code, `The wallet's token is not taken. ${message} Ask the buyer to pay again.`, {
    param: 'token',
  })
}

async function requireWallet(
  name: WalletName,
  { simulated }: WalletServices,
  { caller: { accountId }, services }: RequestContext,
): Promise<{ wallet: StoredWallet; isSimulated: boolean }> {
  const own = await findWallet(accountId, name, services)
  if (own !== null) return { wallet: own, isSimulated: false }
  const merchant = simulated?.merchants.find(({ settings }) => settings.wallet === name)
  const hasOthers = merchant !== undefined && (await listWallets(accountId, services.db)).length > 0
  if (merchant === undefined || hasOthers) throw notTaken(name)
  return { wallet: { accountId, ...merchant }, isSimulated: true }
}

function notTaken(name: WalletName): ApiError {
  const shown = name === 'apple_pay' ? 'Apple Pay' : 'Google Pay'
  return new ApiError(
    'state_conflict',
    `This account does not take ${shown}; an operator adds it with "tillwright wallets add".`,
  )
}

/** Counts a page's message, once it is certain that the page has read the wallets of its key. */
async function admit(
  { session, origin }: { session: string; origin: string },
  { cardTries }: WalletServices,
  { caller, services, address }: RequestContext,
): Promise<string> {
  const id = readFrameSession(session, { keyId: caller.keyId, origin }, services)
  if (id === null || !isOfKey(origin, caller.allowedOrigins)) throw foreignPage()
  await cardTries.count({ session: id, address, account: caller })
  return id
}

function isOfKey(origin: string, allowedOrigins: readonly string[]): boolean {
  return URL.parse(origin)?.origin === origin && allowsOrigin(allowedOrigins, origin)
}

function foreignPage(): ApiError {
  return new ApiError(
    'token_invalid',
    "The page's origin is not one that the publishable key allows, or the wallets were not read for it; load the page again.",
    { param: 'origin' },
  )
}

function tokenFor(card: CardRow, { services, nowMs }: RequestContext): ServiceToken {
  const { last4, brand, bin, expMonth, expYear, funding, wallet } = card
  return {
    v: 1,
    type: 'card',
    provider: 'tillwright',
    token: card.id,
    nonSensitiveMetadata: { last4, brand, bin, expMonth, expYear, funding, wallet: wallet ?? undefined },
    exp: Math.floor(nowMs / 1_000) + SERVICE_TOKEN_TTL_S,
    jti: base62(services.randomness, TOKEN_ID_CHARS),
  }
}
