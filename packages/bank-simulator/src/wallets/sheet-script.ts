import { walletTestCards } from './approved-payment.ts'
import { sheetTexts } from './sheet-texts.ts'

const cards = walletTestCards.map(({ id, brand, number, kind }) => ({
  id,
  name: `${brand === 'visa' ? 'Visa' : 'Mastercard'} •••• ${number.slice(-4)}`,
  kind,
}))

/**
 * The script that stands in for both wallets in a page: it offers what Apple's and Google's scripts offer, as far as the
 * checkout uses it, and shows a sheet of its own. The token comes from where the script came from. Its styles are a
 * constructed sheet in a shadow root, so that the page's policy has to allow nothing for it.
 */
export const sheetScript = `(() => {
const TEXTS = ${JSON.stringify(sheetTexts)}
const CARDS = ${JSON.stringify(cards)}
const TOKENS = new URL('simulated-wallets/tokens', document.currentScript.src).href
const STYLE = \`
:host { all: initial }
dialog { box-sizing: border-box; width: min(100%, 420px); max-width: none; margin: auto auto 0; padding: 20px; border: 0;
  border-radius: 16px 16px 0 0; background: #fff; color: #1b1b1f; font: 16px/1.4 system-ui, sans-serif }
dialog::backdrop { background: #0009 }
@media (min-width: 600px) { dialog { margin: auto; border-radius: 16px } }
h2 { margin: 0; font-size: 18px } p { margin: 4px 0 0; color: #56565e; font-size: 14px }
.sum { display: flex; justify-content: space-between; gap: 12px; margin: 16px 0; padding: 12px 0; border: solid #d9d9de;
  border-width: 1px 0; font-weight: 600 }
fieldset { margin: 0 0 16px; padding: 0; border: 0 } legend { padding: 0; font-weight: 600; font-size: 14px }
label { display: flex; align-items: center; gap: 10px; min-height: 44px; border-bottom: 1px solid #ececf0 }
label small { margin-inline-start: auto; color: #56565e }
input { width: 18px; height: 18px; margin: 0; accent-color: #1b1b1f }
button { width: 100%; min-height: 48px; border: 0; border-radius: 10px; background: #1b1b1f; color: #fff; font: 600 16px system-ui;
  cursor: pointer }
button + button { margin-top: 8px; background: #ececf0; color: #1b1b1f }
button[aria-disabled='true'] { opacity: .6; cursor: progress }
:focus-visible { outline: 3px solid #1f5fd0; outline-offset: 2px }
[role='status']:not(:empty) { margin: 0 0 12px; font-weight: 600; color: #1b1b1f; font-size: 16px }
@media (prefers-color-scheme: dark) {
  dialog { background: #232327; color: #f3f3f5 } p, label small { color: #b4b4bd } label, .sum { border-color: #3b3b42 }
  button { background: #f3f3f5; color: #1b1b1f } button + button { background: #3b3b42; color: #f3f3f5 }
  input { accent-color: #f3f3f5 } [role='status']:not(:empty) { color: #f3f3f5 }
}\`

/** Opens a sheet. Resolves with what the buyer approved, or null; the sheet stays until end() is called. */
function openSheet({ wallet, name, merchant, decimal, currency, choices }) {
  const language = document.documentElement.lang.slice(0, 2)
  const texts = TEXTS[language] || TEXTS.en
  const tag = TEXTS[language] ? language : 'en'
  const digits = decimal.split('.')[1]?.length ?? 0 // those of ISO 4217, which are not always those of Intl
  const money = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits }
  const amount = new Intl.NumberFormat(tag, money).format(decimal)
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const dialog = add(root, 'dialog', { lang: tag, dir: tag === 'ar' ? 'rtl' : 'ltr', 'aria-labelledby': 'title' })
  add(dialog, 'h2', { id: 'title' }, texts.title.replace('{wallet}', name))
  add(dialog, 'p', {}, texts.about)
  const sum = add(dialog, 'div', { class: 'sum' })
  add(sum, 'span', {}, merchant)
  add(sum, 'span', { dir: 'ltr' }, amount)
  const cards = add(dialog, 'fieldset')
  add(cards, 'legend', {}, texts.choose)
  for (const card of choices) {
    const label = add(cards, 'label')
    const radio = add(label, 'input', { type: 'radio', name: 'card', value: card.id })
    radio.checked = card === choices[0]
    add(label, 'span', { dir: 'ltr' }, card.name)
    if (texts[card.id]) add(label, 'small', {}, texts[card.id])
  }
  const status = add(dialog, 'p', { role: 'status' })
  const pay = add(dialog, 'button', { type: 'button', id: 'pay' }, texts.pay.replace('{amount}', amount))
  const cancel = add(dialog, 'button', { type: 'button', id: 'cancel' }, texts.cancel)
  document.body.append(host)
  dialog.showModal()
  const end = () => { dialog.close(); host.remove() }
  const approved = new Promise((resolve) => {
    pay.onclick = () => {
      if (pay.ariaDisabled === 'true') return
      pay.ariaDisabled = 'true'
      status.textContent = texts.wait
      resolve(root.querySelector('input:checked').value)
    }
    cancel.onclick = () => { end(); resolve(null) }
    dialog.oncancel = (event) => { event.preventDefault(); cancel.click() }
  })
  return {
    approved,
    end,
    show: (isPaid) => {
      status.textContent = isPaid ? texts.done : texts.failed
      pay.hidden = true
      cancel.focus()
      if (isPaid) end()
    },
  }
  function add(parent, tagName, attributes = {}, text = '') {
    const element = document.createElement(tagName)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.textContent = text
    parent.append(element)
    return element
  }
}

/** Text is what a page may post to another origin without asking first. */
async function makeToken(body) {
  const response = await fetch(TOKENS, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error('The simulated wallet made no token.')
  return response.text()
}

window.ApplePaySession = class {
  static STATUS_SUCCESS = 0
  static STATUS_FAILURE = 1
  static canMakePayments() { return true }
  constructor(version, request) { this.request = request }
  begin() {
    const { total, currencyCode: currency } = this.request
    const choices = CARDS.filter(({ kind }) => kind === 'cryptogram')
    this.sheet = openSheet({ name: 'Apple Pay', merchant: total.label, decimal: total.amount, currency, choices })
    const valid = new Promise((resolve) => { this.completeMerchantValidation = resolve })
    this.onvalidatemerchant({ validationURL: 'https://apple-pay-gateway.apple.com/paymentservices/startSession' })
    this.sheet.approved.then(async (card) => {
      if (card === null) return this.oncancel?.({})
      await valid
      const token = await makeToken({ wallet: 'apple_pay', card, decimal: total.amount, currency })
      this.onpaymentauthorized({ payment: { token: { paymentData: JSON.parse(token) } } })
    }).catch(() => this.sheet.show(false))
  }
  completePayment({ status }) { this.sheet.show(status === 0) }
  abort() { this.sheet.end() }
}

class PaymentsClient {
  async isReadyToPay() { return { result: true } }
  createButton({ onClick, buttonColor }) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Google Pay'
    button.style.cssText = 'width:100%;border:1px solid #747775;border-radius:6px;cursor:pointer;font:500 19px system-ui;' +
      (buttonColor === 'white' ? 'background:#fff;color:#000' : 'background:#000;color:#fff')
    button.onclick = onClick
    return button
  }
  async loadPaymentData({ merchantInfo, transactionInfo: { totalPrice: decimal, currencyCode: currency } }) {
    const sheet = openSheet({ name: 'Google Pay', merchant: merchantInfo.merchantName, decimal, currency, choices: CARDS })
    const card = await sheet.approved
    if (card === null) throw { statusCode: 'CANCELED' }
    const token = await makeToken({ wallet: 'google_pay', card, decimal, currency }).finally(sheet.end)
    return { paymentMethodData: { tokenizationData: { type: 'DIRECT', token } } }
  }
}
window.google = { ...window.google, payments: { api: { PaymentsClient } } }
})()
`
