import type { Brand } from '../card/brands.ts'
import { fieldNames, type CheckedCard, type FieldErrors } from '../card/check-card.ts'
import type { CardFields } from './card-fields.ts'
import { elementById } from './element-by-id.ts'
import { digitCount, errorText, type Texts } from './texts.ts'

const brandTitles: Record<Brand['name'], string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  elo: 'Elo',
  mir: 'Mir',
  hiper: 'Hiper',
  hipercard: 'Hipercard',
  verve: 'Verve',
  troy: 'Troy',
  rupay: 'RuPay',
  uatp: 'UATP',
  cartes_bancaires: 'Cartes Bancaires',
  bancontact: 'Bancontact',
  unknown: '',
}

/**
 * Writes labels, messages and the brand into the document.
 *
 * @returns The errors that are shown now: those of the fields that the buyer has been to.
 */
export function renderFields(fields: CardFields, { brand, errors }: CheckedCard, texts: Texts): FieldErrors {
  const shown: FieldErrors = { number: null, expiry: null, cvc: null }
  for (const name of fieldNames) {
    const code = fields[name].visited ? errors[name] : null
    shown[name] = code
    fields[name].label(texts.labels[name], texts.placeholders[name].replace('{n}', digitCount(brand)))
    fields[name].complain(code && errorText(texts, { field: name, code }, brand))
  }
  renderBrand(brand.name)
  return shown
}

/** The mark is a picture; its name is read out with the number's label. */
function renderBrand(name: Brand['name']): void {
  elementById('brand-mark', SVGUseElement).setAttribute('href', `#${name}`)
  elementById('brand-name', HTMLElement).textContent = brandTitles[name]
}
