// @ts-check
import { formatMoney } from './money.js'

/**
 * @typedef {{ id: string, name: string, default: boolean, amounts: Record<string, number> }} Variant
 * @typedef {{ name: string, description: string, currencies: string[], variants: Variant[] }} Offer
 * @typedef {{ variantId: string, variantName: string, quantity: number, currency: string, amount: number }} Choice
 */

const MOST = 10

/**
 * Shows what is on offer and keeps the total true to what the buyer picks.
 *
 * @param {Offer} offer
 * @param {(choice: Choice) => void} onChange Called at once, and after each change.
 * @returns {() => Choice} What is picked now.
 */
export function showBasket(offer, onChange) {
  const quantity = /** @type {HTMLInputElement} */ (document.querySelector('#quantity'))
  const currency = /** @type {HTMLSelectElement} */ (document.querySelector('#currency'))
  const less = /** @type {HTMLButtonElement} */ (document.querySelector('#less'))
  const more = /** @type {HTMLButtonElement} */ (document.querySelector('#more'))
  document.querySelector('#variants')?.replaceChildren(...offer.variants.map(variantChoice))
  currency.replaceChildren(...offer.currencies.map((code) => new Option(code)))
  currency.closest('.field')?.toggleAttribute('hidden', offer.currencies.length === 1)

  const choice = () => {
    const picked = document.querySelector('#variants input:checked')
    const id = picked?.getAttribute('value')
    const variant = offer.variants.find((each) => each.id === id)
    if (variant === undefined) throw new Error('One of the variants is always picked.')
    const count = clamp(Number(quantity.value))
    return {
      variantId: variant.id,
      variantName: variant.name,
      quantity: count,
      currency: currency.value,
      amount: priceOf(variant, currency.value) * count,
    }
  }
  const changed = () => {
    const { quantity: count } = choice()
    less.disabled = count === 1
    more.disabled = count === MOST
    for (const variant of offer.variants) {
      const price = document.getElementById(`price-${variant.id}`)
      if (price) price.textContent = formatMoney(priceOf(variant, currency.value), currency.value)
    }
    onChange(choice())
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
  return choice
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

/** @param {Variant} variant */
function variantChoice({ id, name, default: preset }) {
  const input = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'variant',
    value: id,
    defaultChecked: preset,
  })
  const price = Object.assign(document.createElement('span'), { id: `price-${id}`, className: 'price' })
  const label = document.createElement('label')
  label.append(input, Object.assign(document.createElement('span'), { textContent: name }), price)
  return label
}
