import { takesCvc, type Brand } from '../card/brands.ts'
import { fieldNames, type CheckedCard, type FieldErrors, type FieldName } from '../card/check-card.ts'
import { brandTitle } from './brand-title.ts'
import type { CardFields } from './card-fields.ts'
import { elementById } from './element-by-id.ts'
import { codeHint, errorText, type Texts } from './texts.ts'

/**
 * Writes labels, messages and the brand into the document.
 *
 * @returns The errors that are shown now: those of the fields that the buyer has been to, and a card that is not taken.
 */
export function renderFields(
  fields: CardFields,
  { brand, errors }: Pick<CheckedCard, 'brand' | 'errors'>,
  texts: Texts,
): FieldErrors {
  const shown: FieldErrors = { number: null, expiry: null, cvc: null, name: null }
  const placeholders: Partial<Record<FieldName, string>> = { ...texts.placeholders, cvc: codeHint(texts, brand) }
  for (const name of fieldNames) {
    const error = errors[name]
    // No further digit makes a card one that the shop takes.
    const code = fields[name].visited || error === 'unsupported' ? error : null
    shown[name] = code
    fields[name].label(texts.labels[name], placeholders[name])
    fields[name].complain(code && errorText(texts, { field: name, code }, brand))
  }
  fields.cvc.show(takesCvc(brand))
  elementById('networks-label', HTMLElement).textContent = texts.network
  elementById('saved-label', HTMLElement).textContent = texts.savedCards
  renderBrand(brand.name)
  return shown
}

/** The mark is a picture; its name is read out with the number's label. */
function renderBrand(name: Brand['name']): void {
  elementById('brand-mark', SVGUseElement).setAttribute('href', `#${name}`)
  elementById('brand-name', HTMLElement).textContent = brandTitle(name)
}
