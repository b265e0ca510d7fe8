/** A card in a simulated wallet. */
export interface WalletTestCard {
  id: string
  brand: 'visa' | 'mastercard'
  number: string
  expMonth: number
  expYear: number
  /** `cryptogram`: the number of a device. `number`: one that the buyer's Google account holds. */
  kind: 'cryptogram' | 'number'
  eci: string | null
}

/** A payment that the buyer has approved in a simulated wallet. */
export interface ApprovedPayment {
  card: WalletTestCard
  /** In the currency's minor unit. */
  amount: number
  /** ISO 4217, three digits. */
  currencyNumber: string
  nowMs: number
}

/** The cards of the simulated wallets. Their numbers are those of the simulated processors. */
export const walletTestCards: readonly WalletTestCard[] = [
  card('visa', { brand: 'visa', number: '4242424242424242', eci: '05' }),
  // Mastercard's cryptograms come without an ECI.
  card('mastercard', { brand: 'mastercard', number: '5555555555554444', eci: null }),
  card('declined', { brand: 'visa', number: '4000000000000002', eci: '05' }),
  card('number', { brand: 'visa', number: '4000002760003184', eci: null, kind: 'number' }),
]

function card(id: string, own: Pick<WalletTestCard, 'brand' | 'number' | 'eci'> & Partial<WalletTestCard>) {
  return { id, expMonth: 12, expYear: 2048, kind: 'cryptogram' as const, ...own }
}
