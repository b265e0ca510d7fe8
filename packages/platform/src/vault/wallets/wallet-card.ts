import type { WalletName } from '@tillwright/contract'

/** A card out of a wallet, decrypted and proven to come from it. */
export interface WalletCard {
  wallet: WalletName
  /** `network_token`: the number stands for the device, and is worth nothing without a cryptogram. */
  kind: 'number' | 'network_token'
  number: string
  expMonth: number
  /** Four digits. */
  expYear: number
  /** Base64, for one payment; `null` for a plain number. */
  cryptogram: string | null
  /** Two digits, as the wallet gave it; `null` where it gave none. */
  eci: string | null
  /** The amount that the buyer has approved, in the currency's minor unit; `null` where the token does not say. */
  approved: { amount: number; currency: string } | null
  /** The wallet's own id of the message, which is taken once. */
  messageId: string
}

/**
 * A token that is not taken. The message says what is wrong and what to do, and repeats nothing of the token.
 *
 * - `unreadable`: it has not the form that the wallet's documentation gives it.
 * - `forged`: it is not signed by the wallet, or not for this merchant.
 * - `expired`: it was made too long ago.
 * - `unknown_key`: it is encrypted to a key that is not among the account's.
 */
export class WalletTokenRefused extends Error {
  readonly reason: 'unreadable' | 'forged' | 'expired' | 'unknown_key'

  constructor(reason: WalletTokenRefused['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** An ECI as two digits: wallets write `5` and `05`. @returns `null` for none. */
export function readEci(eci: string | undefined): string | null {
  return eci === undefined || !/^\d{1,2}$/.test(eci) ? null : eci.padStart(2, '0')
}
