import type { NewPaymentMethod, PaymentMethodType } from '@tillwright/contract'
import type { CheckoutError } from '../checkout-error.ts'
import type { CardOptions } from '../options.ts'
import type { TokenizedCard } from '../tokenizer.ts'

/** Amount due and country of the buyer, which together decide the eligible methods. */
export interface MethodsSum {
  /** The total to charge, in the currency's minor unit: 1999 is 19.99 EUR. */
  amount: number
  /** ISO 4217, in capitals. */
  currency: string
  /** Where the buyer is, ISO 3166-1, two capitals; unknown by default. */
  country?: string | undefined
}

/** Options of `checkout.methods()`. */
export interface MethodsOptions extends MethodsSum {
  /** The store that sells. */
  storeId: string
  /** Where the platform's API answers; by default where the vault says that it does. */
  apiUrl?: string | undefined
  /** The card form, and the look and the language of all: they lie over the options of `init()`. */
  card?: CardOptions | undefined
  /** Told which method is chosen and whether it needs nothing more: in the beginning, and when either changes. */
  onChange?: ((state: MethodsChange) => void) | undefined
  /** Told that the card form did not load or went away; choosing the card once more brings it back, empty. */
  onError?: ((error: CheckoutError) => void) | undefined
}

/** The state of the element while it is filled in. */
export interface MethodsChange {
  type: PaymentMethodType
  /** Whether all that the method needs is there. */
  complete: boolean
}

/**
 * The buyer's choice of method: for a card the result of `tokenize()`, for every other method the `paymentMethod` that
 * your server creates the payment with.
 */
export type MethodsChoice = (TokenizedCard & { paymentMethod?: never }) | ChosenMethod

/** A method that is no card. */
export interface ChosenMethod {
  paymentMethod: NewPaymentMethod
  serviceToken?: never
  paymentInstrumentId?: never
}

/** The methods in a page. */
export interface PaymentMethods {
  /** The methods that this buyer can pay with, in display order. */
  readonly shown: readonly PaymentMethodType[]
  /**
   * Returns the buyer's choice. Where a field is incomplete or invalid, the element marks it and moves the focus there.
   *
   * @throws CheckoutError `method_incomplete`, `method_invalid`, whose `field` is `iban`, `holderName` or `mandate`;
   *   `destroyed`; for a card every error of `CardElement.tokenize()`.
   */
  choice(): Promise<MethodsChoice>
  /**
   * Asks again for another sum or another country, and leaves what was typed. Of several calls the last counts.
   *
   * @throws CheckoutError What `checkout.methods()` throws; what is shown then stays.
   */
  update(sum: MethodsSum): Promise<void>
  /** Takes the methods out of the page, and with them all that was typed. */
  destroy(): void
}

/** Form of one method, shown below its name. */
export interface Panel {
  element: HTMLElement
  /** Whether all that it needs is there. */
  isComplete(): boolean
  choice(): Promise<MethodsChoice>
  /** It was chosen. */
  open?(): void
  close?(): void
}
