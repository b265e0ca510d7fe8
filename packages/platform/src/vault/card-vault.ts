import { z } from 'zod'
import type { CardOwner, CardSecrets, CardVault, SealedCard } from '../request-context.ts'
import { openWith, type Randomness, type SecretBox, sealWith } from '../runtime/index.ts'

/** What only a process that holds the card key has. */
export interface CardKeys {
  /** Seals under the card key. It stays inside the vault's room: everything else has a `CardVault`. */
  cardKeys: SecretBox
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const KEY_PURPOSE = 'card key'

const cardSecrets = z.object({ number: z.string(), name: z.string().nullable() })

/**
 * The card vault of a process that holds the card key.
 *
 * A card is encrypted under a data key of its own, so that a change of the card key re-encrypts 32 bytes a card and never
 * touches a number. Its fingerprint is an HMAC of the number under a key of the vault's, so that a card is known again
 * without decrypting any, and a copy of the database does not let anybody try out numbers.
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
    fingerprint: cardKeys.mac('card fingerprint', number).toString('base64url'),
    masterKeyId: cardKeys.keyId,
    sealedKey: cardKeys.seal(KEY_PURPOSE, dataKey, bound),
    sealedCard: sealWith(dataKey, plaintext, { bound, nonce: randomness.bytes(NONCE_BYTES) }),
  }
}

function openCard(
  { masterKeyId, sealedKey, sealedCard }: Omit<SealedCard, 'fingerprint'>,
  owner: CardOwner,
  { cardKeys }: CardKeys,
): CardSecrets {
  if (masterKeyId !== cardKeys.keyId) {
    throw new Error(
      `Card ${owner.cardId} is encrypted under the vault key ${masterKeyId}, and the platform runs with ` +
        `${cardKeys.keyId}. Start it with the key that the cards were stored under.`,
    )
  }
  const bound = boundTo(owner)
  const dataKey = cardKeys.open(KEY_PURPOSE, sealedKey, bound)
  return cardSecrets.parse(JSON.parse(Buffer.from(openWith(dataKey, sealedCard, bound)).toString()))
}

function boundTo({ accountId, cardId }: CardOwner): string {
  return `${accountId}/${cardId}`
}
