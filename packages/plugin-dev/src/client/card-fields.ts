import type { Problem } from '@tillwright/plugin-build'
import { takesCard } from '@tillwright/plugin-build/takes-card'

/** What tells an input apart, by the names that attributes have in HTML. */
const names = ['name', 'id', 'type', 'placeholder', 'title', 'autocomplete', 'aria-label'] as const

/**
 * Watches the page for inputs into which a card could be typed, as a build looks for them in what it has built; here with
 * the attributes that are only known when the page runs.
 */
export function watchCardFields(found: (problems: Problem[]) => void): void {
  let told = ''
  const look = () => {
    const fields = [...document.querySelectorAll('input, textarea')].filter((field) => takesCard(attributesOf(field)))
    const problems = fields.map(problemOf)
    if (JSON.stringify(problems) === told) return
    told = JSON.stringify(problems)
    found(problems)
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: [...names],
  })
  look()
}

function attributesOf(field: Element): Map<string, string> {
  const labels = field instanceof HTMLInputElement ? [...(field.labels ?? [])] : []
  const label = labels.map(({ textContent }) => textContent.trim()).join(' ')
  const pairs = names.map((name) => [name, field.getAttribute(name) ?? ''] as const)
  const said = new Map(pairs)
  // A sentence in a label is no name; a short one is what is asked for.
  if (said.get('aria-label') === '' && label.length <= LABEL_MAX_CHARS) said.set('aria-label', label)
  return said
}

/** `Credit card number`, `Numéro de la carte`; a sentence about cards is longer. */
const LABEL_MAX_CHARS = 20

function problemOf(field: Element): Problem {
  const shown = field.outerHTML.replace(/\svalue="[^"]*"/, '').slice(0, 120)
  return {
    code: 'card-field',
    severity: 'error',
    file: '',
    line: 1,
    column: 1,
    pointer: null,
    rule: `No input of a page may take a card number, a security code or an expiry date: ${shown}`,
    fix: 'Mount the card form of @tillwright/checkout: card numbers are typed into its frame alone.',
  }
}
