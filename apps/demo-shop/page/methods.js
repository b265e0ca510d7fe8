// @ts-check

/**
 * Shows every payment method that the shop takes, the card form among them. Loaded only if the shop takes more than
 * cards.
 *
 * @param {import('@tillwright/checkout').Checkout} checkout
 * @param {{ storeId: string, apiUrl: string, amount: number, currency: string }} options
 * @param {() => void} cardIsMissing
 */
export async function openMethods(checkout, options, cardIsMissing) {
  const methods = await checkout.methods('#means', { ...options, onError: cardIsMissing })
  let asked = JSON.stringify([options.amount, options.currency])
  return {
    /** The chosen method, in the shape that the shop's server takes. */
    async choice() {
      const chosen = await methods.choice()
      // A card's token names the purchase by itself.
      return chosen.paymentMethod ? { ...chosen, purchaseId: crypto.randomUUID() } : chosen
    },
    /** Called after every input on the page. @param {{ amount: number, currency: string }} sum */
    update({ amount, currency }) {
      const now = JSON.stringify([amount, currency])
      if (asked === (asked = now)) return
      void methods.update({ amount, currency }).catch(() => {}) // what is shown stays, and the server refuses what is gone
    },
  }
}
