import { type TestToken, testTokens } from '@tillwright/contract'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { brandOf, CARD_COLUMNS, cardColumns, cardRow, type RedeemedCard, storeCard } from './cards.ts'
import { foreignToken, spendToken, TOKEN_COLUMNS, tokenColumns, verifyServiceToken } from './service-tokens.ts'
import { cardsTable, securityCodesTable } from './tables.ts'

/**
 * Resolves a service token to its card. `writes` spend the token, so that the transaction that uses the card is refused
 * if another request has spent it; those of a test token store its card, and it can be used again.
 *
 * @param use The store that the card is to be used in.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemToken(
  serviceToken: string,
  use: { storeId: string },
  context: Pick<RequestContext, 'services' | 'caller' | 'nowMs' | 'newId'>,
): Promise<RedeemedCard> {
  if (isTestToken(serviceToken)) return redeemTestToken(serviceToken, context)
  const { services, caller, nowMs } = context
  const { jti, token: cardId } = verifyServiceToken(serviceToken, services.secrets, nowMs)
  const [row] = readTokens(await services.db.read(selectCard, [caller.accountId, jti, cardId]))
  if (row === undefined) throw foreignToken('serviceToken')
  const write = spendToken(row, { param: 'serviceToken', jti, ...use }, context)
  return { card: cardRow(row), fingerprint: row.fingerprint, approval: row.approval, writes: [write] }
}

const selectCard = `SELECT ${CARD_COLUMNS}, cards.fingerprint, ${TOKEN_COLUMNS}, security_codes.approval
  FROM card_tokens JOIN cards ON cards.account_id = card_tokens.account_id AND cards.id = card_tokens.card_id
  LEFT JOIN security_codes ON security_codes.account_id = cards.account_id AND security_codes.id = cards.id
  WHERE card_tokens.account_id = ? AND card_tokens.id = ? AND card_tokens.card_id = ?`

const readTokens = rowReader({
  ...cardColumns,
  ...pick(cardsTable, 'fingerprint'),
  ...pick(securityCodesTable, 'approval'),
  ...tokenColumns,
})

/**
 * The card number behind each test token. The numbers are published ones that no issuer uses: those of Stripe's test mode
 * and of Cybersource's 3-D Secure tests, and nine of the simulated processors' own.
 */
const numbers: Readonly<Record<TestToken, string>> = {
  tok_visa: '4242424242424242',
  tok_visa_debit: '4000056655665556',
  tok_mastercard: '5555555555554444',
  tok_mastercard_debit: '5200828282828210',
  tok_mastercard_prepaid: '5105105105105100',
  tok_amex: '378282246310005',
  tok_discover: '6011111111111117',
  tok_diners: '3056930009020004',
  tok_jcb: '3566002020360505',
  tok_unionpay: '6200000000000005',
  tok_threeds_challenge: '4000002760003184',
  tok_threeds_frictionless: '4000002500003155',
  tok_threeds_attempted: '4000000000002719',
  tok_threeds_failed: '4000000000002925',
  tok_threeds_rejected: '4000000000002537',
  tok_threeds_unavailable: '4000000000002313',
  tok_threeds_challenge_declined: '4000008400001629',
  tok_threeds_challenge_insufficient_funds: '4000008260003178',
  tok_declined: '4000000000000002',
  tok_declined_card_velocity_exceeded: '4000000000006975',
  tok_declined_closed_account: '4000000000001463',
  tok_declined_do_not_honor: '4000000000001059',
  tok_declined_expired_card: '4000000000000069',
  tok_declined_fraudulent: '4100000000000019',
  tok_declined_incorrect_cvc: '4000000000000127',
  tok_declined_insufficient_funds: '4000000000009995',
  tok_declined_invalid_number: '4000000000001141',
  tok_declined_lost_card: '4000000000009987',
  tok_declined_pickup_card: '4000000000001042',
  tok_declined_processing_error: '4000000000000119',
  tok_declined_stolen_card: '4000000000009979',
  tok_declined_transaction_not_allowed: '4000000000001570',
  tok_declined_try_again_later: '4000000000001919',
  tok_renewed: '4000000000004004',
  tok_replaced: '4000000000004012',
  tok_closed: '4000000000004020',
  tok_disputed: '4000000000000259',
  tok_disputed_inquiry: '4000000000001976',
  tok_refund_reversed: '4000000000005126',
  tok_capture_reversed: '4000000000005001',
}

/** Whether a service token claims to be a test token. Signed ones are base64url of JSON and never begin like this. */
function isTestToken(serviceToken: string): boolean {
  return serviceToken.startsWith('tok_')
}

/** The card stays valid for this many years. */
const VALID_YEARS = 3

/**
 * Turns a test token into a new card, stored like a typed one. It can be used any number of times.
 *
 * @throws {ApiError} `token_invalid` in production, for every test token alike, and for an unknown name.
 */
async function redeemTestToken(
  serviceToken: string,
  context: Pick<RequestContext, 'services' | 'caller' | 'nowMs' | 'newId'>,
): Promise<RedeemedCard> {
  if (context.services.environment === 'production') {
    throw invalid('Test tokens are accepted in local and development only. Pass on what card.tokenize() returned.')
  }
  if (!isKnown(serviceToken)) {
    throw invalid('There is no such test token. Use `tok_visa`, or another one of the list at /docs.')
  }
  const number = numbers[serviceToken]
  const expYear = new Date(context.nowMs).getUTCFullYear() + VALID_YEARS
  const card = { number, brand: brandOf(number), expMonth: 12, expYear, name: null }
  const { row, fingerprint, write } = await storeCard(card, context.newId('card'), context)
  return { card: row, fingerprint, approval: null, writes: [write, usedToken(row.id, context)] }
}

/** The token that a test card would have been typed for: by it the card is one that was redeemed. */
function usedToken(cardId: string, { caller, nowMs }: Pick<RequestContext, 'caller' | 'nowMs'>): Write {
  const { accountId, keyId } = caller
  return {
    sql: `INSERT INTO card_tokens (account_id, id, card_id, key_id, jwe_id, expires_at, used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, cardId, cardId, keyId, cardId, nowMs, nowMs],
  }
}

function isKnown(name: string): name is TestToken {
  return Object.hasOwn(testTokens, name)
}

function invalid(message: string): ApiError {
  return new ApiError('token_invalid', message, { param: 'serviceToken' })
}
