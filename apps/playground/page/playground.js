// @ts-check
const themes = /** @type {const} */ (['light', 'dark', 'flat', 'minimal', 'auto'])
const states = ['empty', 'focused', 'filled', 'error', 'busy', 'choice', 'name', 'saved']
const savedCards = [
  { paymentInstrumentId: 'pi_old', brand: 'mastercard', last4: '4444', expMonth: 1, expYear: 2024 },
  { paymentInstrumentId: 'pi_amex', brand: 'amex', last4: '0005', expMonth: 12, expYear: 2034 },
]

const query = new URLSearchParams(location.search)
const locale = query.get('locale') || 'en'
const chosen = themes.filter((theme) => theme === query.get('theme'))

fillChoices()
await Promise.all((chosen.length > 0 ? chosen : themes).map(showTheme))
document.documentElement.dataset.ready = ''

/** The choices as they stand in the address. */
function fillChoices() {
  const select = document.querySelector('select')
  for (const theme of ['all', ...themes]) select?.append(new Option(theme, theme, false, theme === chosen[0]))
  const input = document.querySelector('input')
  if (input) input.value = locale
}

/** @param {(typeof themes)[number]} theme */
async function showTheme(theme) {
  const section = document.createElement('section')
  section.dataset.theme = theme
  const heading = document.createElement('h2')
  heading.textContent = theme
  const grid = document.createElement('div')
  grid.className = 'states'
  section.append(heading, grid)
  document.querySelector('main')?.append(section)
  await Promise.all(states.map((state) => showState(theme, state, grid)))
}

/** @param {(typeof themes)[number]} theme @param {string} state @param {Element} grid */
async function showState(theme, state, grid) {
  const figure = document.createElement('figure')
  figure.dataset.state = state
  const caption = document.createElement('figcaption')
  caption.textContent = state
  figure.append(caption)
  grid.append(figure)
  const checkout = await window.Tillwright.init({ publishableKey: `test_pk_${state}`, locale, appearance: { theme } })
  const card = checkout.card({ name: state === 'name', savedCards: state === 'saved' ? savedCards : [] })
  const reached = new Promise((resolve) => {
    if (['empty', 'focused', 'saved'].includes(state)) card.on('ready', () => resolve(null))
    else card.on('change', ({ complete, errors }) => (complete || errors.cvc) && resolve(null))
  })
  card.mount(figure)
  await reached
  if (state === 'busy') keepBusy(card)
}

/** The vault of the playground never answers, and the form gives up after a while.
 *
 * @param {import('@tillwright/checkout').CardElement} card */
function keepBusy(card) {
  card.tokenize().catch(() => keepBusy(card))
}
