import type { CardTries } from '../card-tries.ts'

/** Where every form may send as many cards as it likes. */
export const uncounted: CardTries = {
  count: async () => ({ many: false }),
  countSoft: async () => false,
  countOdd: async () => {},
}
