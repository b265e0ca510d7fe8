// @ts-check
import { formatMoney } from './money.js'

/**
 * Puts the receipt in the place of the form. It says "Paid" when the shop's server has the signed word of the platform,
 * not when the card was accepted.
 *
 * @param {{ orderId: string, amount: number, currency: string }} order
 * @param {{ article: string, email: string, cardEnding: string }} bought
 */
export function showReceipt({ orderId, amount, currency }, { article, email, cardEnding }) {
  const receipt = /** @type {HTMLElement} */ (document.querySelector('#receipt'))
  const title = /** @type {HTMLElement} */ (document.querySelector('#receipt-title'))
  const state = /** @type {HTMLElement} */ (document.querySelector('#state'))
  const lines = {
    Article: article,
    Total: formatMoney(amount, currency),
    Card: cardEnding,
    'Receipt to': email,
    Order: orderId,
  }
  document.querySelector('#receipt-lines')?.replaceChildren(...Object.entries(lines).map(line))
  document.querySelector('#purchase')?.remove()
  receipt.hidden = false
  state.textContent = 'Confirming your payment'
  state.dataset.state = 'waiting'
  title.scrollIntoView({ block: 'center' })
  title.focus()

  const news = new EventSource(`/orders/${orderId}`)
  news.addEventListener('paid', () => {
    news.close()
    state.textContent = 'Paid'
    state.dataset.state = 'paid'
  })
}

/** @param {[string, string]} entry */
function line([term, text]) {
  const row = document.createElement('div')
  row.append(
    Object.assign(document.createElement('dt'), { textContent: term }),
    Object.assign(document.createElement('dd'), { textContent: text }),
  )
  return row
}
