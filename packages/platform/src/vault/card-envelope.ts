import { z } from 'zod'
import { openWith, sealWith } from '../ambient/secret-box.ts'
import type { Parts } from '../call.ts'

/** What of a card is a secret, and stored encrypted alone. There is no security code: it is never stored. */
export interface CardSecrets {
  number: string
  name: string | null
}

/** An encrypted card: its secrets under a data key of its own, and the data key under the platform's master key. */
export interface CardEnvelope {
  /** Which master key. */
  masterKeyId: string
  sealedKey: string
  sealedCard: string
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const KEY_PURPOSE = 'card key'

const cardSecrets = z.object({ number: z.string(), name: z.string().nullable() })

/**
 * Encrypts a card, so that a change of the master key re-encrypts 32 bytes a card and never touches a number.
 *
 * @param owner The account and card that the envelope belongs to: it opens only with the same.
 */
export function sealCard(
  card: CardSecrets,
  owner: CardOwner,
  { secrets, randomness }: Pick<Parts, 'secrets' | 'randomness'>,
): CardEnvelope {
  const dataKey = randomness.bytes(KEY_BYTES)
  const bound = boundTo(owner)
  const plaintext = Buffer.from(JSON.stringify({ number: card.number, name: card.name } satisfies CardSecrets))
  const sealedCard = sealWith(dataKey, plaintext, { bound, nonce: randomness.bytes(NONCE_BYTES) })
  return { masterKeyId: secrets.keyId, sealedKey: secrets.seal(KEY_PURPOSE, dataKey, bound), sealedCard }
}

/** Whose card it is. */
export interface CardOwner {
  accountId: string
  cardId: string
}

/**
 * Decrypts a card.
 *
 * @throws {Error} When the envelope was altered, belongs to another card, or to another master key.
 */
export function openCard(envelope: CardEnvelope, owner: CardOwner, { secrets }: Pick<Parts, 'secrets'>): CardSecrets {
  if (envelope.masterKeyId !== secrets.keyId) {
    throw new Error(
      `Card ${owner.cardId} is encrypted under the vault key ${envelope.masterKeyId}, and the platform runs with ` +
        `${secrets.keyId}. Start it with the key that the cards were stored under.`,
    )
  }
  const bound = boundTo(owner)
  const dataKey = secrets.open(KEY_PURPOSE, envelope.sealedKey, bound)
  return cardSecrets.parse(JSON.parse(Buffer.from(openWith(dataKey, envelope.sealedCard, bound)).toString()))
}

function boundTo({ accountId, cardId }: CardOwner): string {
  return `${accountId}/${cardId}`
}
