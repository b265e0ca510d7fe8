// @ts-check
import { localeTags } from '../../../packages/checkout/src/locales/locale.ts'

const themes = /** @type {const} */ (['light', 'dark', 'flat', 'minimal', 'auto'])
const states = ['empty', 'focused', 'filled', 'error', 'busy', 'choice', 'name', 'saved']
const savedCards = [
  { paymentInstrumentId: 'pi_old', brand: 'mastercard', last4: '4444', expMonth: 1, expYear: 2024 },
  { paymentInstrumentId: 'pi_amex', brand: 'amex', last4: '0005', expMonth: 12, expYear: 2034 },
]

const query = new URLSearchParams(location.search)
const languages = ['en', ...localeTags]
const chosen = themes.filter((theme) => theme === query.get('theme'))
const chosenLanguages = languages.filter((language) => language === query.get('locale'))

fillChoices()
if (query.get('locale') === 'all') await showLanguages(chosen[0] ?? 'light')
else await Promise.all((chosen.length > 0 ? chosen : themes).map(showTheme))
document.documentElement.dataset.ready = ''

/** The choices as they stand in the address. */
function fillChoices() {
  fill('theme', themes, chosen[0])
  fill('locale', languages, query.get('locale') === 'all' ? 'all' : (chosenLanguages[0] ?? 'en'))
}

/** @param {string} name @param {readonly string[]} choices @param {string | undefined} current */
function fill(name, choices, current) {
  const select = document.querySelector(`select[name=${name}]`)
  for (const choice of ['all', ...choices]) select?.append(new Option(choice, choice, false, choice === current))
}

/** Every language in one theme, empty and with its messages: ten forms at a time, so that none waits for long.
 *
 * @param {(typeof themes)[number]} theme */
async function showLanguages(theme) {
  for (let first = 0; first < languages.length; first += 5) {
    await Promise.all(
      languages.slice(first, first + 5).map((language) => {
        const grid = addSection(theme, language)
        return Promise.all(['empty', 'error'].map((state) => showState({ theme, state, language }, grid)))
      }),
    )
  }
}

/** @param {(typeof themes)[number]} theme */
async function showTheme(theme) {
  const grid = addSection(theme, theme)
  const language = chosenLanguages[0] ?? 'en'
  await Promise.all(states.map((state) => showState({ theme, state, language }, grid)))
}

/** @param {(typeof themes)[number]} theme @param {string} title */
function addSection(theme, title) {
  const section = document.createElement('section')
  section.dataset.theme = theme
  section.dataset.title = title
  const heading = document.createElement('h2')
  heading.textContent = title
  const grid = document.createElement('div')
  grid.className = 'states'
  section.append(heading, grid)
  document.querySelector('main')?.append(section)
  return grid
}

/** @param {{ theme: (typeof themes)[number], state: string, language: string }} what @param {Element} grid */
async function showState({ theme, state, language: locale }, grid) {
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
