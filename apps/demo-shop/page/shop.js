// @ts-check
import { openBasket } from './basket.js'

/**
 * A purchase as it is sent. While its outcome is unknown, because no answer came or the bank asks its buyer, it is kept
 * in the entry of the tab's history, so that it outlives a reload. It is sent again as it was: the shop's server pays for
 * one card token, or one id of the page's, once, so this finds out, or goes on with the bank, instead of paying twice.
 *
 * @typedef {import('./basket.js').Choice & Paid & { email: string }} Purchase
 * @typedef {{ serviceToken: string } | { paymentMethod: object, purchaseId: string }} Paid
 */

const { publishableKey, beyondCards, texts, ...offer } = JSON.parse(document.querySelector('#offer')?.textContent ?? '')
const form = /** @type {HTMLFormElement} */ (document.querySelector('#purchase'))
const email = /** @type {HTMLInputElement} */ (document.querySelector('#email'))
const payButton = /** @type {HTMLButtonElement} */ (document.querySelector('#pay'))

/** @type {Purchase | null} */
let unconfirmed = history.state?.purchase ?? null
let paying = false
let isAway = false
/** Whether there is more than the card. */
let isChoice = false

/** @type {{ choice(): Promise<object>, update?(sum: ReturnType<typeof approvable>): void } | null} */
let means = null
/** @type {{ update(sum: ReturnType<typeof approvable>): void } | null} */
let wallets = null
const basket = openBasket(offer, (total) => {
  wallets?.update(approvable())
  means?.update?.(approvable())
  write('#total', total)
  write('#pay-label', texts.pay.replace('{amount}', total))
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void purchase()
})
email.addEventListener('change', emailIsValid)
addEventListener('pageshow', comeBack)
comeBack()

const checkout = await startCheckout()
if (checkout) {
  const showing = showWallets(checkout)
  means = await showMeans(checkout)
  wallets = await showing
}
if (checkout && unconfirmed) {
  basket.restore(unconfirmed)
  email.value = unconfirmed.email
  void purchase()
}

function comeBack() {
  // Back from the receipt: the purchase is complete, so show its outcome again.
  const { receipt, left } = history.state ?? {}
  if (receipt) return location.replace(receipt)
  if (isAway) setPaying(false)
  isAway = false
  if (left) void askWhatBecameOf(left)
}

/**
 * From a method's page, by Back: it may be paid there all the same. One that is still open is left alone, and the buyer
 * may pay in another way.
 *
 * @param {string} paymentId
 */
async function askWhatBecameOf(paymentId) {
  const answer = await post('/continue', { paymentId }).catch(() => ({}))
  if (history.state?.left !== paymentId) return // they pay anew already
  if (answer.receipt) showReceiptAt(answer.receipt)
  else if (!answer.leadsTo) {
    keep(null)
    write('#problem', answer.message ?? '')
  }
}

async function startCheckout() {
  try {
    // The card form speaks more languages than this page.
    return await window.Tillwright.init({ publishableKey, locale: navigator.language, appearance: appearance() })
  } catch {
    cardIsMissing()
    return null
  }
}

/**
 * The card form, alone or among all methods. A page that cannot show the others still takes cards.
 *
 * @param {import('@tillwright/checkout').Checkout} started
 */
async function showMeans(started) {
  if (beyondCards === null) return mountCard(started)
  try {
    const { openMethods } = await import('./methods.js')
    const methods = await openMethods(started, { ...beyondCards, ...approvable() }, cardIsMissing)
    isChoice = true
    payButton.disabled = false
    return methods
  } catch {
    return mountCard(started)
  }
}

/** @param {import('@tillwright/checkout').Checkout} started */
function mountCard(started) {
  const element = started.card().mount('#means')
  element.on('ready', () => {
    payButton.disabled = false
  })
  element.on('submit', () => form.requestSubmit())
  element.on('loaderror', cardIsMissing)
  element.on('error', cardIsMissing)
  return { choice: () => element.tokenize() }
}

/**
 * Apple Pay and Google Pay, where the device has them. A page that cannot show them still takes cards.
 *
 * @param {import('@tillwright/checkout').Checkout} started
 */
async function showWallets(started) {
  const options = { country: 'US', onStart: mayPay, onPay: payByWallet, onError: showProblem }
  return started.wallets('#wallets', { ...approvable(), ...options }).catch(() => null)
}

/** The amount and currency that the buyer approves in a wallet. */
function approvable() {
  return { amount: basket.amount(), currency: basket.choice().currency }
}

function mayPay() {
  write('#problem', '')
  if (paying || unconfirmed !== null) return false
  if (emailIsValid()) return true
  email.focus()
  return false
}

/**
 * The sheet shows whether it worked before the page goes to the receipt.
 *
 * @param {{ serviceToken: string }} approved
 */
async function payByWallet({ serviceToken }) {
  setPaying(true)
  try {
    keep({ serviceToken, email: email.value.trim(), ...basket.choice() })
    const answer = await complete()
    if (!answer.receipt) throw new Error(answer.message)
    setTimeout(() => showReceiptAt(answer.receipt), 0)
  } catch (problem) {
    if (unconfirmed !== null) showProblem(problem)
    throw problem
  } finally {
    setPaying(false)
  }
}

function cardIsMissing() {
  payButton.disabled = !isChoice
  write('#problem', texts.blocked)
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

/** Makes the purchase, or continues one whose outcome is unknown. */
async function purchase() {
  if (paying) return
  if (!emailIsValid()) return email.focus()
  setPaying(true)
  write('#problem', '')
  try {
    await pay()
  } catch (problem) {
    showProblem(problem)
  }
  setPaying(false)
}

async function pay() {
  keep(unconfirmed ?? (await newPurchase()))
  const answer = await complete()
  if (answer.receipt) showReceiptAt(answer.receipt)
  else if (answer.leadsTo) leaveFor(answer)
  else return
  return new Promise(() => {}) // the page goes
}

/** Makes the purchase that is kept, and says what was wrong where nothing was bought. */
async function complete() {
  let answer = await post('/pay', unconfirmed)
  while (answer.actionToken) answer = await authenticate(answer)
  keep(null)
  if (answer.message) write(answer.field === 'email' ? '#email-problem' : '#problem', answer.message)
  return answer
}

/**
 * Leads to the method's page, where the buyer pays.
 *
 * @param {{ leadsTo: string, paymentId: string }} answer
 */
function leaveFor({ leadsTo, paymentId }) {
  history.replaceState({ left: paymentId }, '')
  isAway = true
  location.assign(leadsTo)
}

/** @param {string} receipt */
function showReceiptAt(receipt) {
  history.replaceState({ receipt }, '')
  location.assign(receipt)
}

/**
 * Shows the challenge of the buyer's bank in the page. Our server then asks the platform for its outcome.
 *
 * @param {{ actionToken: string, paymentId: string }} payment
 */
async function authenticate({ actionToken, paymentId }) {
  // However that ends, and also if it could not be shown: the platform may know the outcome already.
  await checkout?.authenticate(actionToken).catch(() => {})
  return post('/continue', { paymentId })
}

/** @param {string} path @param {unknown} body */
async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.json()
  if (response.status >= 500) throw new Error(answer.message)
  return answer
}

/** @returns {Promise<Purchase>} */
async function newPurchase() {
  if (means === null) throw new Error('Without anything to pay with the button cannot be pressed.')
  const paid = /** @type {Paid} */ (await means.choice())
  return { ...paid, email: email.value.trim(), ...basket.choice() }
}

/** @param {Purchase | null} sent */
function keep(sent) {
  unconfirmed = sent
  history.replaceState({ purchase: sent }, '')
}

/** @param {unknown} problem */
function showProblem(problem) {
  const code = problem instanceof Error && 'code' in problem ? problem.code : null
  if (code?.endsWith('_incomplete') || code?.endsWith('_invalid')) return // the form says where
  if (unconfirmed !== null) write('#problem', texts.unconfirmed)
  else if (code === 'network_failed' || code === 'tokenize_rejected') write('#problem', texts.cardUnchecked)
  else cardIsMissing()
}

function emailIsValid() {
  const valid = email.value.trim() !== '' && email.validity.valid
  write('#email-problem', valid ? '' : texts.emailWrong)
  email.setAttribute('aria-invalid', String(!valid))
  return valid
}

/** @param {boolean} now */
function setPaying(now) {
  paying = now
  // Not `disabled`: that would take the keyboard away from the button.
  payButton.setAttribute('aria-disabled', String(now))
  form.setAttribute('aria-busy', String(now))
  // While the outcome is unknown, the order stays as it was sent.
  document.querySelector('#order')?.toggleAttribute('disabled', unconfirmed !== null && !now)
}

/** @param {string} selector @param {string} content */
function write(selector, content) {
  const element = document.querySelector(selector)
  if (element) element.textContent = content
}
