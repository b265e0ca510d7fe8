import type { CardTries } from '../../src/vault/card-senders.ts'

/** Where every form may send as many cards as it likes. */
export const uncounted: CardTries = {
  count: async () => ({ many: false, pressed: false, retryAfterS: 0 }),
  countOdd: async () => {},
}
