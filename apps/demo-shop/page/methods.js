// @ts-check

/**
 * Puts all that the shop takes into its page, the card form among it. This file is loaded only where cards are not all.
 *
 * @param {import('@tillwright/checkout').Checkout} checkout
 * @param {{ storeId: string, apiUrl: string, amount: number, currency: string }} options
 * @param {() => void} cardIsMissing
 */
export async function openMethods(checkout, options, cardIsMissing) {
  const methods = await checkout.methods('#means', { ...options, onError: cardIsMissing })
  let asked = JSON.stringify([options.amount, options.currency])
  return {
    /** What the buyer pays with, as the shop's server takes it. */
    async choice() {
      const chosen = await methods.choice()
      // A card's token names the purchase by itself.
      return chosen.paymentMethod ? { ...chosen, purchaseId: crypto.randomUUID() } : chosen
    },
    /** Every input of the page comes here. @param {{ amount: number, currency: string }} sum */
    update({ amount, currency }) {
      const now = JSON.stringify([amount, currency])
      if (asked === (asked = now)) return
      void methods.update({ amount, currency }).catch(() => {}) // what is shown stays, and the server refuses what is gone
    },
  }
}
