// @ts-check
import { showBasket } from './basket.js'
import { formatMoney } from './money.js'
import { showReceipt } from './receipt.js'

const { publishableKey, ...offer } = JSON.parse(text('#offer'))
const purchase = /** @type {HTMLFormElement} */ (document.querySelector('#purchase'))
const email = /** @type {HTMLInputElement} */ (document.querySelector('#email'))

write('#name', offer.name)
write('#description', offer.description)
document.title = `${offer.name} · ${document.title}`

const choice = showBasket(offer, ({ amount, currency }) => {
  write('#total', formatMoney(amount, currency))
  write('#pay-label', `Pay ${formatMoney(amount, currency)}`)
})

const checkout = await startCheckout()
const card = checkout && mountCard(checkout)

/**
 * A purchase whose outcome is unknown, because no answer came. It is sent again as it was: the shop's server pays for
 * one card token once, so this finds out instead of paying twice.
 *
 * @type {{ body: string, bought: Parameters<typeof showReceipt>[1] } | null}
 */
let unconfirmed = null
let paying = false

purchase.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (paying) return
  if (!emailIsValid()) return email.focus()
  setPaying(true)
  write('#problem', '')
  const receipt = await pay().catch(showProblem)
  setPaying(false)
  if (receipt) showReceipt(receipt.order, receipt.bought)
})
email.addEventListener('change', emailIsValid)

async function startCheckout() {
  try {
    return await window.Tillwright.init({ publishableKey, appearance: appearance() })
  } catch (problem) {
    showProblem(problem)
    return null
  }
}

/** @param {import('@tillwright/checkout').Checkout} started */
function mountCard(started) {
  const form = started.card().mount('#card')
  form.on('submit', () => purchase.requestSubmit())
  form.on('loaderror', showProblem)
  form.on('error', showProblem)
  return form
}

/** The card form wears the shop's colours. */
function appearance() {
  const style = getComputedStyle(document.documentElement)
  const value = (/** @type {string} */ name) => style.getPropertyValue(name).trim()
  return {
    theme: /** @type {const} */ ('auto'),
    variables: {
      colorPrimary: value('--accent'),
      colorText: value('--ink'),
      colorMuted: value('--muted'),
      colorDanger: value('--danger'),
      colorBorder: value('--border'),
      colorField: value('--field'),
      fontFamily: value('--sans'),
      borderRadius: value('--radius'),
    },
  }
}

async function pay() {
  unconfirmed ??= await newPurchase()
  if (unconfirmed === null) return null
  const { body, bought } = unconfirmed
  const first = await post('/pay', body)
  const answer = first.actionToken ? await authenticate(first) : first
  unconfirmed = null
  if (answer.orderId) return { order: answer, bought }
  write(answer.field === 'email' ? '#email-problem' : '#problem', answer.message)
  return null
}

/** Lets the buyer's bank see the buyer, in the page; what came of it, our server asks the platform.
 *
 * @param {{ actionToken: string, paymentId: string }} payment */
async function authenticate({ actionToken, paymentId }) {
  await checkout?.authenticate(actionToken)
  return post('/continue', JSON.stringify({ paymentId }))
}

/** @param {string} path @param {string} body */
async function post(path, body) {
  const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const answer = await response.json()
  if (response.status >= 500) throw new Error(answer.message)
  return answer
}

async function newPurchase() {
  if (card === null) return null
  const { variantId, variantName, quantity, currency } = choice()
  const {
    serviceToken,
    card: { brand, last4 },
  } = await card.tokenize()
  const body = JSON.stringify({ serviceToken, variantId, quantity, currency, email: email.value.trim() })
  const article = `${quantity} × ${offer.name}, ${variantName}`
  const cardEnding = `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${last4}`
  return { body, bought: { article, cardEnding, email: email.value.trim() } }
}

/** @param {unknown} problem */
function showProblem(problem) {
  const code = problem instanceof Error && 'code' in problem ? problem.code : null
  if (code === 'card_incomplete' || code === 'card_invalid') return // the card form says where
  if (unconfirmed !== null) {
    write('#problem', 'We could not confirm your payment yet. Pay again to check: you will not be charged twice.')
  } else if (code === 'network_failed' || code === 'tokenize_rejected') {
    write('#problem', 'Your card could not be checked. You were not charged; please try again.')
  } else {
    write('#problem', 'The card form does not answer. You were not charged; please reload the page.')
  }
}

function emailIsValid() {
  const valid = email.value.trim() !== '' && email.validity.valid
  write('#email-problem', valid ? '' : 'Enter an e-mail address, like ada@example.com.')
  email.setAttribute('aria-invalid', String(!valid))
  return valid
}

/** @param {boolean} now */
function setPaying(now) {
  paying = now
  // Not `disabled`: that would take the keyboard away from the button.
  document.querySelector('#pay')?.setAttribute('aria-disabled', String(now))
  purchase.setAttribute('aria-busy', String(now))
  // What is asked for once more stays as it was sent.
  document.querySelector('#order')?.toggleAttribute('disabled', unconfirmed !== null && !now)
}

/** @param {string} selector */
function text(selector) {
  return document.querySelector(selector)?.textContent ?? ''
}

/** @param {string} selector @param {string} content */
function write(selector, content) {
  const element = document.querySelector(selector)
  if (element) element.textContent = content
}
