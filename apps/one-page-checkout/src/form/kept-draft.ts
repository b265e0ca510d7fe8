import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import type { TypedDebit } from '@tillwright/plugin-sdk/methods'
import type { TypedAddress } from '../address/check-address.ts'

/** The buyer's input, kept for a reload of the tab, but for the debit's account. Contains no card data. */
export interface Draft {
  email: string
  phone: string
  shipping: TypedAddress & { country?: string }
  billing: TypedAddress & { country?: string }
  isBillingSame: boolean
  /** The chosen method. It may no longer be offered. */
  method: PaymentMethodType
  debit: TypedDebit
}

const nothing: Draft = {
  email: '',
  phone: '',
  shipping: {},
  billing: {},
  isBillingSame: true,
  method: 'card',
  debit: { iban: '', holderName: '', mandateAccepted: false },
}

/**
 * Reads the draft of a store's form. Defaults to an empty one.
 *
 * @param open The tab's storage. A browser that refuses it throws.
 */
export function readDraft(storeId: string, open: () => Pick<Storage, 'getItem'>): Draft {
  try {
    return { ...nothing, ...JSON.parse(open().getItem(keyOf(storeId)) ?? '{}') }
  } catch {
    return nothing // storage is blocked, or its content is not ours
  }
}

/** Keeps what was typed, as long as the tab is open. An IBAN is not kept. */
export function keepDraft({ debit: _, ...draft }: Draft, storeId: string, open: () => Pick<Storage, 'setItem'>): void {
  try {
    open().setItem(keyOf(storeId), JSON.stringify(draft))
  } catch {
    // Full or closed storage costs a buyer nothing but a reload.
  }
}

function keyOf(storeId: string): string {
  return `one-page-checkout:${storeId}`
}
