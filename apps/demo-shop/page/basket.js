// @ts-check
import { formatMoney } from './money.js'

/**
 * @typedef {{ id: string, amounts: Record<string, number> }} Variant
 * @typedef {{ currencies: string[], variants: Variant[] }} Offer
 * @typedef {{ variantId: string, quantity: number, currency: string }} Choice
 */

const MOST = 10

/**
 * Keeps prices and total, which the server has written, true to what the buyer picks.
 *
 * @param {Offer} offer
 * @param {(total: string) => void} onChange Called at once, and after each change.
 */
export function openBasket(offer, onChange) {
  const quantity = /** @type {HTMLInputElement} */ (document.querySelector('#quantity'))
  const currencies = document.querySelector('select')
  const less = /** @type {HTMLButtonElement} */ (document.querySelector('#less'))
  const more = /** @type {HTMLButtonElement} */ (document.querySelector('#more'))
  const money = (/** @type {number} */ amount, /** @type {string} */ currency) =>
    formatMoney(amount, currency, document.documentElement.lang)

  /** @returns {Choice} */
  const choice = () => {
    const picked = document.querySelector('#variants input:checked')
    return {
      variantId: picked?.getAttribute('value') ?? '',
      quantity: clamp(Number(quantity.value)),
      currency: currencies?.value ?? offer.currencies[0] ?? '',
    }
  }
  const changed = () => {
    const { variantId, quantity: count, currency } = choice()
    less.disabled = count === 1
    more.disabled = count === MOST
    for (const variant of offer.variants) {
      const price = document.getElementById(`price-${variant.id}`)
      if (price) price.textContent = money(priceOf(variant, currency), currency)
    }
    const variant = offer.variants.find(({ id }) => id === variantId)
    if (variant) onChange(money(priceOf(variant, currency) * count, currency))
  }
  const step = (/** @type {number} */ by) => {
    quantity.value = String(clamp(choice().quantity + by))
    changed()
  }
  less.addEventListener('click', () => step(-1))
  more.addEventListener('click', () => step(1))
  quantity.addEventListener('blur', () => step(0))
  document.querySelector('#purchase')?.addEventListener('input', changed)
  changed()
  return {
    choice,
    /** The total of the choice, in the currency's minor unit. */
    amount() {
      const { variantId, quantity: count, currency } = choice()
      const variant = offer.variants.find(({ id }) => id === variantId)
      return variant ? priceOf(variant, currency) * count : 0
    },
    /** Restores the choice of a former purchase. @param {Choice} former */
    restore({ variantId, quantity: count, currency }) {
      const picked = document.querySelector(`#variants input[value="${CSS.escape(variantId)}"]`)
      if (picked instanceof HTMLInputElement) picked.checked = true
      if (currencies) currencies.value = currency
      quantity.value = String(clamp(count))
      changed()
    },
  }
}

/** @param {Variant} variant @param {string} currency */
function priceOf({ amounts }, currency) {
  const amount = amounts[currency]
  if (amount === undefined) throw new Error('The offer lists only currencies in which every variant has a price.')
  return amount
}

/** @param {number} count */
function clamp(count) {
  return Math.min(Math.max(Math.trunc(count) || 1, 1), MOST)
}
