import { z } from 'zod'
import { type SealedColumn, sealedColumn } from '../keys/index.ts'
import type { CardOwner, CardSecrets, CardVault, SealedCard } from '../request-context.ts'
import { openWith, type Randomness, type SecretBox, sealWith } from '../runtime/index.ts'

/** Keys of a process that holds the card key. */
export interface CardKeys {
  /** Seals under the card key. It stays inside the vault's room: everything else has a `CardVault`. */
  cardKeys: SecretBox
}

/** Sealed columns of the vault's room, for key rotation. */
export const sealedCards: readonly SealedColumn[] = [
  sealedColumn({
    ring: 'cards',
    table: 'cards',
    column: 'sealed_key',
    keyedBy: 'account and id',
    purpose: 'card key',
    boundTo: ({ accountId, id }) => boundTo({ accountId, cardId: id }),
  }),
  sealedColumn({
    ring: 'cards',
    table: 'vault_keys',
    column: 'sealed_private_jwk',
    keyedBy: 'id',
    purpose: 'vault jwe key',
    boundTo: ({ id }) => id,
  }),
]

const KEY_BYTES = 32
const NONCE_BYTES = 12
const KEY_PURPOSE = 'card key'

const cardSecrets = z.object({ number: z.string(), name: z.string().nullable() })

/**
 * The card vault of a process that holds the card key.
 *
 * A card is encrypted under a data key of its own, so that a change of the card key re-encrypts 32 bytes a card and
 * never touches a number. Its fingerprint is an HMAC of the number under a key of the vault's, so that a card is known
 * again without decrypting any, and a copy of the database does not allow trying out numbers.
 */
export function openCardVault(cardKeys: SecretBox, randomness: Randomness): CardVault {
  return {
    seal: async (card, owner) => sealCard(card, owner, { cardKeys, randomness }),
    open: async (sealed, owner) => openCard(sealed, owner, { cardKeys }),
  }
}

function sealCard(
  { number, name }: CardSecrets,
  owner: CardOwner,
  { cardKeys, randomness }: CardKeys & { randomness: Randomness },
): SealedCard {
  const dataKey = randomness.bytes(KEY_BYTES)
  const bound = boundTo(owner)
  const plaintext = Buffer.from(JSON.stringify({ number, name } satisfies CardSecrets))
  return {
    fingerprint: cardKeys.mac('card fingerprint', number),
    sealedKey: cardKeys.seal(KEY_PURPOSE, dataKey, bound),
    sealedCard: sealWith(dataKey, plaintext, { bound, nonce: randomness.bytes(NONCE_BYTES) }),
  }
}

function openCard(
  { sealedKey, sealedCard }: Omit<SealedCard, 'fingerprint'>,
  owner: CardOwner,
  { cardKeys }: CardKeys,
): CardSecrets {
  const bound = boundTo(owner)
  const dataKey = cardKeys.open(KEY_PURPOSE, sealedKey, bound)
  return cardSecrets.parse(JSON.parse(Buffer.from(openWith(dataKey, sealedCard, bound)).toString()))
}

function boundTo({ accountId, cardId }: CardOwner): string {
  return `${accountId}/${cardId}`
}
