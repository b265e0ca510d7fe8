import type { PaymentInstrument, WalletName } from '@tillwright/contract'
import { type BrandName, brandNames, networksOf, rulesOf, unknownRules } from '@tillwright/contract/networks'
import type { CardOwner, CardSecrets, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { cardsTable, type WalletApproval } from './tables.ts'

/** A card as the rest of the platform may know it: everything but the number and the security code. */
export interface CardRow {
  id: string
  brand: Brand
  last4: string
  /** The first six digits. */
  bin: string
  expMonth: number
  expYear: number
  funding: 'credit' | 'debit' | 'prepaid' | 'unknown'
  segment: 'consumer' | 'commercial' | 'unknown'
  /** `network_token`: the number stands for the buyer's device. */
  kind: CardKind
  /** The wallet that it came from, `null` for a typed one. */
  wallet: WalletName | null
}

/** A stored number is a card's own number, or a network token. */
export type CardKind = RowOf<typeof cardsTable>['kind']

/** The columns of `cards` that `cardRow` reads. */
export const CARD_COLUMNS =
  'cards.id, cards.brand, cards.last4, cards.bin, cards.exp_month, cards.exp_year, cards.funding, cards.segment, cards.kind, cards.wallet'

export const cardColumns = pick(
  cardsTable,
  'id',
  'brand',
  'last4',
  'bin',
  'exp_month',
  'exp_year',
  'funding',
  'segment',
  'kind',
  'wallet',
)

/** A card from its row; further columns are left out. */
export function cardRow(row: RowOf<typeof cardColumns>): CardRow {
  const { id, brand, last4, bin, exp_month: expMonth, exp_year: expYear, funding, segment, kind, wallet } = row
  return { id, brand, last4, bin, expMonth, expYear, funding, segment, kind, wallet }
}

/**
 * Decrypts a stored card for sending it to a processor. The result must not be stored, logged or returned to a client.
 *
 * @throws {CardGone} If the card was deleted, or its number purged.
 * @throws {Error} If it was stored under another master key: a bug.
 */
export async function readCard(
  cardId: string,
  accountId: string,
  { db, cardVault }: Pick<Services, 'db' | 'cardVault'>,
): Promise<CardRow & CardSecrets> {
  const [row] = readSealedCards(await db.read(selectCard, [accountId, cardId]))
  if (row === undefined || row.sealed_key === '') throw new CardGone()
  const { sealed_key: sealedKey, sealed_card: sealedCard } = row
  const card = await cardVault.open({ sealedKey, sealedCard }, { accountId, cardId })
  return { ...cardRow(row), ...card }
}

const selectCard = `SELECT ${CARD_COLUMNS}, cards.sealed_key, cards.sealed_card
  FROM cards WHERE account_id = ? AND id = ?`

const readSealedCards = rowReader({ ...cardColumns, ...pick(cardsTable, 'sealed_key', 'sealed_card') })

/**
 * Returns the public details of a stored card; its number stays encrypted.
 *
 * @throws {CardGone} If the card was deleted.
 */
export async function findCard(cardId: string, accountId: string, db: Database): Promise<CardRow> {
  const sql = `SELECT ${CARD_COLUMNS} FROM cards WHERE account_id = ? AND id = ?`
  const [row] = readCards(await db.read(sql, [accountId, cardId]))
  if (row === undefined) throw new CardGone()
  return cardRow(row)
}

const readCards = rowReader(cardColumns)

/** The card was deleted, or its number purged: nothing is left that could be charged. */
export class CardGone extends ApiError {
  constructor() {
    super('state_conflict', 'The card was deleted; ask the buyer for another card.')
  }
}

/**
 * The statements that delete a card for good: its row with the encrypted number, and the security codes that wait for it.
 * The tokens by which it came stay as used ones, without where they came from, so that its message is not taken again.
 */
export function deleteStoredCard({ accountId, cardId }: CardOwner): Write[] {
  return [
    {
      sql: 'DELETE FROM cards WHERE account_id = ? AND id = ?',
      params: [accountId, cardId],
      expect: 1,
      onRefused: () => new CardGone(),
    },
    { sql: 'DELETE FROM security_codes WHERE account_id = ? AND id = ?', params: [accountId, cardId] },
    { sql: deleteTypedCodes, params: [accountId, accountId, cardId] },
    {
      sql: 'UPDATE card_tokens SET frame_session = NULL, frame_address = NULL WHERE account_id = ? AND card_id = ?',
      params: [accountId, cardId],
    },
  ]
}

const deleteTypedCodes = `DELETE FROM security_codes
  WHERE account_id = ? AND id IN (SELECT id FROM card_tokens WHERE account_id = ? AND card_id = ?)`

/** The parts of a validated card that are stored. */
export interface StorableCard extends CardSecrets {
  brand: Brand
  expMonth: number
  /** Four digits. */
  expYear: number
  /** By default a number that was typed. */
  kind?: CardKind
  wallet?: WalletName | null
}

/** A card that is about to be stored. */
export interface NewCard {
  row: CardRow
  /** The same for the same number, whenever it is stored. */
  fingerprint: string
  /** The statement that stores it. */
  write: Write
}

/** Encrypts a new card for storage. */
export async function storeCard(
  card: StorableCard,
  cardId: string,
  { services, caller: { accountId }, nowMs }: Pick<RequestContext, 'services' | 'caller' | 'nowMs'>,
): Promise<NewCard> {
  const { number, name, brand, expMonth, expYear, kind = 'number', wallet = null } = card
  const shown = { id: cardId, brand, last4: number.slice(-4), bin: number.slice(0, 6), expMonth, expYear }
  const row = { ...shown, ...enrichmentOf(number), kind, wallet }
  const sealed = await services.cardVault.seal({ number, name }, { accountId, cardId })
  const { fingerprint, sealedKey, sealedCard } = sealed
  const secret = [fingerprint, sealedKey, sealedCard]
  const known = [row.brand, row.last4, row.bin, row.expMonth, row.expYear, row.funding, row.segment, kind, wallet]
  return { row, fingerprint, write: { sql: insertCard, params: [accountId, cardId, ...secret, ...known, nowMs] } }
}

const insertCard = `INSERT INTO cards
  (account_id, id, fingerprint, sealed_key, sealed_card,
   brand, last4, bin, exp_month, exp_year, funding, segment, kind, wallet, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** A card that a service token stands for. */
export interface RedeemedCard {
  card: CardRow
  /** The same for the same number, whenever it was stored. */
  fingerprint: string
  /** The buyer's approval in a wallet; `null` for a card that was typed. */
  approval: WalletApproval | null
  /** Belong to the transaction that uses the card. */
  writes: Write[]
}

/** How a card draws on money, and whom it was issued to. */
export type Enrichment = PaymentInstrument['cardEnrichment']

/**
 * Tells funding and segment from the first six digits of a card number.
 *
 * @param number Digits only.
 * @returns `unknown` where neither the number's range nor its network says so; Maestro and Bancontact are debit networks.
 */
export function enrichmentOf(number: string): Enrichment {
  const known = byBin[number.slice(0, 6)]
  if (known !== undefined) return known
  const isDebit = ['maestro', 'bancontact'].includes(brandOf(number))
  return { funding: isDebit ? 'debit' : 'unknown', segment: 'unknown' }
}

const consumerCredit: Enrichment = { funding: 'credit', segment: 'consumer' }
const consumerDebit: Enrichment = { funding: 'debit', segment: 'consumer' }

/** The ranges of the published test cards: no issuer has them, so they keep their meaning. */
const byBin: Readonly<Record<string, Enrichment>> = {
  '424242': consumerCredit, // 4242 4242 4242 4242
  '400000': consumerCredit, // 4000 0000 0000 0002, 4000 0000 0000 9995 and the other outcomes
  '400005': consumerDebit, // 4000 0566 5566 5556
  '555555': consumerCredit, // 5555 5555 5555 4444
  '222300': consumerCredit, // 2223 0031 2200 3222
  '520082': consumerDebit, // 5200 8282 8282 8210
  '510510': { funding: 'prepaid', segment: 'consumer' }, // 5105 1051 0510 5100
  '378282': consumerCredit, // 3782 822463 10005
  '378734': { funding: 'credit', segment: 'commercial' }, // 3787 344936 71000
  '601111': consumerCredit, // 6011 1111 1111 1117
  '601198': consumerDebit, // 6011 9811 1111 1113
  '305693': consumerCredit, // 3056 930009 0200 04
  '362272': consumerCredit, // 3622 720627 1667
  '356600': consumerCredit, // 3566 0020 2036 0505
  '620000': consumerCredit, // 6200 0000 0000 0005
}

/** A card's network, as determined by its number. */
export type Brand = BrandName

/**
 * Names the network of a card number; of a co-badged card's, the one that is shown first.
 *
 * @param number Digits only; the first eight are enough.
 * @returns `unknown` when the number lies in no range of the table.
 */
export function brandOf(number: string): Brand {
  return networksOf(number)[0] ?? 'unknown'
}

/** Rules for all cards of a brand. */
export interface BrandRules {
  /** How many digits a number may have. */
  numberLengths: readonly number[]
  /** How many digits a security code may have; `[0]` where payments go without one. */
  cvcLengths: readonly number[]
  /** Whether the last digit of the number is a check digit. */
  checkDigit: boolean
}

/** The rules of each brand. */
// Its keys are those of the list of brands.
export const brandRules = Object.fromEntries(brandNames.map((brand) => [brand, readRules(brand)])) as Readonly<
  Record<Brand, BrandRules>
>

function readRules(brand: Brand): BrandRules {
  const { lengths, cvcLengths, luhn } = brand === 'unknown' ? unknownRules : rulesOf(brand)
  return { numberLengths: lengths, cvcLengths, checkDigit: luhn }
}
