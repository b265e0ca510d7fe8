import { createHash } from 'node:crypto'
import { OperatorError } from '../runtime/index.ts'
import { pick, rowReader, text, type Value } from '../storage/index.ts'
import { type CardKeys, cardsTable, openCardVault } from '../vault/index.ts'
import { chooseAccount } from './accounts.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** The cards of an account to purge: exactly one of the choices. */
export interface WantedPurge {
  account?: string
  card?: string
  instrument?: string
  customer?: string
  /** Cards that no payment has used for so many days, and no running subscription depends on. */
  unusedDays?: number
  everything?: true
  /** Says what would be removed, and removes nothing. */
  dryRun?: true
}

/** A card whose number is gone. */
export interface PurgedCard {
  cardId: string
  brand: string
  last4: string
  /** SHA-256 of the encrypted key and the encrypted card that were removed, in hexadecimal. */
  removedSha256: string
  /** Whether the database was read again, and holds neither. */
  isGone: boolean
}

/** Receipt of a purge: the cards removed, and the copies out of its reach. */
export interface PurgeReceipt {
  account: string
  selection: string
  at: string
  dryRun: boolean
  purged: PurgedCard[]
  /** Cards that were left, with the reason. */
  left: { cardId: string; reason: string }[]
  /** Places that may still hold copies, and what ends that. */
  remains: readonly string[]
}

/** Operator commands for stored cards. */
export interface CardManagement {
  purge(wanted: WantedPurge): Promise<PurgeReceipt>
}

const DAY_MS = 24 * 60 * 60 * 1_000
const BATCH = 100

const REMAINS = [
  'Backups and copies made before this hold the encrypted cards. They are readable with the master key of their time until they are deleted, or until that master key is destroyed.',
  "The database's own files hold old bytes until they are overwritten: on SQLite the write-ahead log, until it is moved into the file; on PostgreSQL free space of pages, the log and replicas that lag, until VACUUM FULL and the end of the log's retention.",
  'Brand, first six and last four digits, expiry, and keyed fingerprints of past attempts are kept for the books. Processors that store cards keep what they were sent; delete it there.',
]

/** @param cards The vault's keys, or `null` without them: then a purge is proved by the rows alone. */
export function manageCards(services: OperatorServices, cards: CardKeys['cardKeys'] | null): CardManagement {
  const { db, clock, randomness } = services
  const vault = cards === null ? null : openCardVault(cards, randomness)

  async function isGone(account: string, cardId: string): Promise<boolean> {
    const [row] = readSealed(await db.read(`${SELECT} WHERE c.account_id = ? AND c.id = ?`, [account, cardId]))
    if (row === undefined || row.sealed_key !== '' || row.sealed_card !== '') return false
    const opened = vault?.open(
      { sealedKey: row.sealed_key, sealedCard: row.sealed_card },
      { accountId: account, cardId },
    )
    return (opened ?? Promise.reject(new Error('there is no key here'))).then(
      () => false,
      () => true,
    )
  }

  async function remove(account: string, card: SealedRow): Promise<PurgedCard | null> {
    const removed = createHash('sha256').update(`${card.sealed_key}\n${card.sealed_card}`).digest('hex')
    const ofCard = [account, card.id]
    const resource = { type: 'card', id: card.id }
    const recorded = recordCommand({ accountId: account, operation: 'cards.purge', resource, before: card }, services)
    const { outcome } = await db.write([
      { sql: erase, params: [clock.now(), account, card.id, card.sealed_key], expect: 1 },
      {
        sql: 'UPDATE payment_instruments SET is_active = 0, is_default = 0 WHERE account_id = ? AND card_id = ?',
        params: ofCard,
      },
      { sql: forgetTokens, params: [account, account, card.id] },
      ...recorded,
    ])
    if (outcome === 'refused') return null // it was sealed again under a new key meanwhile
    return { ...shown(card), removedSha256: removed, isGone: await isGone(account, card.id) }
  }

  async function purgeCard(card: SealedRow, { account, dryRun, purged, left }: PurgeReceipt): Promise<void> {
    const leave = (reason: string) => void left.push({ cardId: card.id, reason })
    const busy = await db.read(underWay, [account, card.id])
    if (busy.length > 0) return leave('a payment with it is under way; purge it later')
    if (dryRun) return void purged.push({ ...shown(card), removedSha256: '', isGone: false })
    const removed = await remove(account, card)
    if (removed === null) return leave('it was changed meanwhile; run the command again')
    purged.push(removed)
  }

  return {
    async purge(wanted) {
      const account = await chooseAccount(db, wanted.account)
      const { selection, sql, params } = condition(wanted, clock.now())
      const about = { account, selection, at: new Date(clock.now()).toISOString(), dryRun: wanted.dryRun === true }
      const receipt: PurgeReceipt = { ...about, purged: [], left: [], remains: REMAINS }
      for (let after = ''; ;) {
        const rows = readSealed(await db.read(selectBatch(sql), [account, after, ...params]))
        for (const card of rows) await purgeCard(card, receipt)
        if (rows.length < BATCH) return receipt
        after = rows.at(-1)?.id ?? ''
      }
    },
  }
}

const SELECT = 'SELECT c.id, c.brand, c.last4, c.sealed_key, c.sealed_card FROM cards c'
const readSealed = rowReader({ ...pick(cardsTable, 'brand', 'last4'), id: text, sealed_key: text, sealed_card: text })
type SealedRow = ReturnType<typeof readSealed>[number]

function shown({ id: cardId, brand, last4 }: SealedRow) {
  return { cardId, brand, last4 }
}

function selectBatch(chosen: string): string {
  return `${SELECT} WHERE c.account_id = ? AND c.id > ? AND c.purged_at IS NULL AND ${chosen} ORDER BY c.id LIMIT ${BATCH}`
}

const erase = `UPDATE cards SET sealed_key = '', sealed_card = '', fingerprint = 'purged ' || id, purged_at = ?
  WHERE account_id = ? AND id = ? AND sealed_key = ?`

const forgetTokens = `DELETE FROM processor_tokens WHERE account_id = ? AND payment_instrument_id IN (
  SELECT id FROM payment_instruments WHERE account_id = ? AND card_id = ?)`

const underWay = `SELECT p.id FROM payment_instruments i
  JOIN payments p ON p.account_id = i.account_id AND p.customer_id = i.customer_id AND p.payment_instrument_id = i.id
  WHERE i.account_id = ? AND i.card_id = ? AND p.status IN ('processing', 'requires_action') LIMIT 1`

const ofInstrument = 'SELECT 1 FROM payment_instruments i WHERE i.account_id = c.account_id AND i.card_id = c.id'

/** The cards that are meant, as SQL over `cards c`. */
function condition(
  { card, instrument, customer, unusedDays, everything }: WantedPurge,
  nowMs: number,
): { selection: string; sql: string; params: Value[] } {
  const chosen = [card, instrument, customer, unusedDays, everything].filter((each) => each !== undefined)
  if (chosen.length !== 1) {
    throw new OperatorError('Say which cards: one of --card, --instrument, --customer, --unused-days or --everything.')
  }
  if (card !== undefined) return { selection: `card ${card}`, sql: 'c.id = ?', params: [card] }
  if (instrument !== undefined)
    return { selection: `instrument ${instrument}`, sql: `EXISTS (${ofInstrument} AND i.id = ?)`, params: [instrument] }
  if (customer !== undefined) {
    const sql = `EXISTS (${ofInstrument} AND i.customer_id = ?)`
    return { selection: `customer ${customer}`, sql, params: [customer] }
  }
  if (unusedDays === undefined) return { selection: 'every card of the account', sql: '1 = 1', params: [] }
  const sinceMs = nowMs - unusedDays * DAY_MS
  const used = `SELECT 1 FROM payment_instruments i
    JOIN payments p ON p.account_id = i.account_id AND p.customer_id = i.customer_id AND p.payment_instrument_id = i.id
    WHERE i.account_id = c.account_id AND i.card_id = c.id AND p.created_at >= ?`
  const renewed = `SELECT 1 FROM payment_instruments i
    JOIN subscriptions s ON s.account_id = i.account_id AND s.customer_id = i.customer_id AND s.payment_instrument_id = i.id
    WHERE i.account_id = c.account_id AND i.card_id = c.id AND s.status <> 'canceled'`
  const sql = `c.created_at < ? AND NOT EXISTS (${used}) AND NOT EXISTS (${renewed})`
  return { selection: `unused for ${unusedDays} days`, sql, params: [sinceMs, sinceMs] }
}
