// @ts-check

// The receipt says "Paid" when the shop's server has the signed word of the platform, not when the card was accepted.
const state = document.querySelector('#state')
if (state instanceof HTMLElement) {
  const news = new EventSource(`/orders/${state.dataset.order}`)
  news.addEventListener('paid', () => {
    news.close()
    state.textContent = state.dataset.paid ?? ''
    state.dataset.state = 'paid'
    document.querySelector('#follows')?.remove()
  })
}

// The server wrote it in its own time.
const time = document.querySelector('time')
if (time) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'short' })
  time.textContent = format.format(new Date(time.dateTime))
}
