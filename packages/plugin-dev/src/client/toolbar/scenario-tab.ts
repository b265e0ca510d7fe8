import type { Scenario } from '../../scenarios/scenario.ts'
import type { ToolbarData } from '../../toolbar-data.ts'
import { element } from './element.ts'

/** What may be chosen of a scenario, by the names of its fields. */
type Field = 'preset' | 'card' | 'currency' | 'locale' | 'country' | 'threeds' | 'viewport'

const currencies = ['USD', 'EUR', 'GBP']
const locales = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'ar']
const countries = ['US', 'DE', 'FR', 'ES', 'GB', 'AE']
const challenges = ['frictionless', 'challenge', 'fail', 'none']

/** The tab that begins a session in another situation. */
export function scenarioTab(data: ToolbarData, begin: (scenario: Scenario) => void): HTMLElement[] {
  const { scenario, scenarios } = data
  const chosen = new Map<Field, HTMLSelectElement>()
  const field = (name: Field, label: string, choices: readonly string[]) => {
    const select = choice(['', ...choices], String(Object(scenario)[name] ?? ''))
    chosen.set(name, select)
    return element('label', {}, label, select)
  }
  const named = choice(['', ...scenarios.map(({ name }) => name)], scenario.name)
  named.addEventListener('change', () => {
    const found = scenarios.find(({ name }) => name === named.value)
    if (found !== undefined) begin(found)
  })
  const sizes = choice(['', ...Object.keys(data.windows)], '')
  sizes.addEventListener('change', () => openWindow(data.windows[sizes.value]))
  return [
    element(
      'div',
      { className: 'grid' },
      element('label', { className: 'wide' }, 'Scenario', named),
      field('card', 'Card', data.cards),
      field('threeds', '3-D Secure', challenges),
      field('currency', 'Currency', currencies),
      field('locale', 'Language', locales),
      field('country', 'Country', countries),
      field('preset', 'Preset', data.presets),
      element('label', {}, 'Open in a window', sizes),
      element('button', {
        className: 'main wide',
        textContent: 'Begin this session',
        onclick: () => begin(scenarioOf(scenario, chosen)),
      }),
    ),
  ]
}

/** The scenario as it was, with what was chosen instead. */
function scenarioOf(before: Scenario, chosen: ReadonlyMap<Field, HTMLSelectElement>): Scenario {
  const kept: Record<string, unknown> = { ...before, name: 'Chosen in the page' }
  for (const [name, { value }] of chosen) {
    if (value === '') delete kept[name]
    else kept[name] = value
  }
  return kept as Scenario // the server reads it as it reads the file
}

function choice(values: readonly string[], value: string): HTMLSelectElement {
  const all = values.includes(value) ? values : [...values, value]
  const options = all.map((each) => element('option', { value: each, textContent: each === '' ? '—' : each }))
  return element(
    'select',
    { value },
    ...options.map((option) => Object.assign(option, { selected: option.value === value })),
  )
}

function openWindow(size: { width: number; height: number } | undefined): void {
  if (size !== undefined) open(location.href, '', `popup,width=${size.width},height=${size.height}`)
}
