import { brandTitle, type NetworkName } from '@tillwright/contract/networks'
import { type BrandFilter, networkChoices, takenNetworks } from '../card/accepts-brand.ts'
import { digitsOf } from '../card/ascii-digits.ts'
import { type Brand, takesCvc } from '../card/brands.ts'
import {
  type Card,
  checkCard,
  type CheckedCard,
  checkSavedCode,
  type FieldErrors,
  type FieldName,
  fieldNames,
} from '../card/check-card.ts'
import type { SavedCardCode } from '../card/saved-card.ts'
import { codeHint, directionOf, en, errorText, type Texts } from '../locales/index.ts'
import { type CardFields, elementById, findCardFields } from './card-field.ts'
import { Choice, whenChanged } from './choice.ts'
import { type LoadTexts, LocaleLoader } from './locale-loader.ts'
import { type SavedOption, savedOptions } from './saved-cards.ts'

/** The shop's options of the form. */
export interface FormOptions {
  locale: string
  /** The networks that the shop takes; all unless it says otherwise. */
  networks?: BrandFilter | undefined
  /** Whether the form asks for the name on the card. */
  name?: boolean | undefined
  /** The cards that the shop has stored for its customer; what is no `SavedCard` is left out. */
  savedCards?: readonly unknown[] | undefined
}

/** The state of the form that pages may know: the verdict, and the errors that the buyer can see. */
export interface FormState {
  empty: boolean
  complete: boolean
  brand: Brand['name']
  errors: FieldErrors
}

/**
 * The facts of the number that pages may know: its brand, or the one that the buyer chose, and all networks that it may
 * be paid over.
 */
export interface FormBrand {
  brand: Brand['name']
  networks: readonly NetworkName[]
}

/** The events of the form. `title` comes with a change of language, in that language. */
export type FormEvent =
  | ({ type: 'change' } & FormState)
  | ({ type: 'brand' } & FormBrand)
  | { type: 'focus' | 'blur' | 'take' | 'submit' }
  | { type: 'title'; title: string }

/** The first thing that keeps a card from being sent. `message` is for the buyer. */
export interface Complaint {
  field: FieldName
  code: 'card_incomplete' | 'card_invalid'
  message: string
}

/** The card form in the frame's document. */
export class CardForm {
  readonly #form = elementById('card', HTMLFormElement)
  readonly #networks = new Choice<NetworkName>('networks', () => this.#render())
  readonly #savedCards = new Choice<string>('saved', () => this.#render())
  readonly #fields = findCardFields(
    () => this.#networks.chosen !== null,
    () => this.#saved?.brand,
  )
  readonly #tell: (event: FormEvent) => void
  readonly #localeLoader: LocaleLoader
  readonly #tellState: (state: FormState) => void
  readonly #tellBrand: (brand: FormBrand) => void
  #texts = en
  /** The saved card that the buyer has chosen, if it is one. */
  #saved: SavedOption | undefined
  #options: FormOptions = { locale: en.locale }
  #isFocusWanted = false
  #aheadMs = 0

  /** @param tell Called with each event. */
  constructor(tell: (event: FormEvent) => void, loadTexts: LoadTexts) {
    this.#tell = tell
    this.#tellState = whenChanged((state) => tell({ type: 'change', ...state }))
    this.#tellBrand = whenChanged((brand) => tell({ type: 'brand', ...brand }), { brand: 'unknown', networks: [] })
    this.#localeLoader = new LocaleLoader(loadTexts, (texts) => this.#say(texts))
    this.#listenToFields()
    this.#listenToForm()
  }

  /** The form's texts in its current language. */
  get texts(): Texts {
    return this.#texts
  }

  /**
   * Shows the form as the shop wants it; what was typed stays. A language that takes its time follows later.
   *
   * @returns When the form can be seen.
   */
  async show(options: FormOptions): Promise<void> {
    this.#options = options
    await this.#localeLoader.setLocale(options.locale)
    this.#form.hidden = false
    this.#render()
    if (this.#isFocusWanted) this.focus()
  }

  /** Moves the keyboard to what is to be typed first, as soon as the form can be seen. */
  focus(): void {
    this.#isFocusWanted = this.#form.hidden === true
    if (!this.#isFocusWanted) this.#take(this.#saved ? 'cvc' : 'number')
  }

  /** Tells the form how far the vault is ahead of this device's clock, in milliseconds: it decides whether a card has expired. */
  setClock(aheadMs: number): void {
    this.#aheadMs = aheadMs
    if (!this.#form.hidden) this.#render()
  }

  /** Empties every field. */
  clear(): void {
    for (const name of fieldNames) this.#fields[name].clear()
    this.#render()
  }

  /** Keeps the fields as they are while their card is on its way. */
  lock(locked: boolean): void {
    this.#form.setAttribute('aria-busy', String(locked))
    this.#networks.locked = this.#savedCards.locked = locked
    for (const name of fieldNames) this.#fields[name].input.readOnly = locked
  }

  /** Judges the card. Where it cannot be sent, every message is shown and the keyboard moves to the first. */
  judge(): { card: Card | SavedCardCode } | { complaint: Complaint } {
    for (const name of fieldNames) this.#fields[name].visited = true
    const { card, errors, brand } = this.#render()
    if (card) return { card }
    // Without a card one field has an error (CheckedCard): the fallbacks say so to the compiler.
    const field = fieldNames.find((name) => errors[name]) ?? 'number'
    const error = errors[field] ?? 'required'
    this.#take(field)
    const code = error === 'required' || error === 'incomplete' ? 'card_incomplete' : 'card_invalid'
    return { complaint: { field, code, message: errorText(this.#texts, { field, code: error }, brand) } }
  }

  #take(name: FieldName): void {
    if (!this.#fields[name].take()) this.#tell({ type: 'take' })
  }

  #say(texts: Texts): void {
    this.#texts = texts
    document.documentElement.lang = texts.locale
    document.documentElement.dir = directionOf(texts.locale)
    document.title = texts.title
    this.#tell({ type: 'title', title: texts.title })
    this.#render()
  }

  #render(): CheckedCard<Card | SavedCardCode> {
    const { number, expiry, cvc, name } = this.#fields
    const { networks: filter = {}, name: isNameAsked = false, savedCards = [] } = this.#options
    const now = Date.now() + this.#aheadMs
    const saved = savedOptions(savedCards, this.#texts, now)
    this.#savedCards.offer(saved.length ? [...saved, { value: '', text: this.#texts.anotherCard }] : [])
    const card = saved.find(({ value }) => value === this.#savedCards.chosen)
    if (card?.value !== this.#saved?.value) cvc.clear() // It was another card's.
    this.#saved = card
    const texts = { number: number.text, expiry: expiry.text, cvc: cvc.text, name: isNameAsked ? name.text : undefined }
    const networks = card ? [] : takenNetworks(digitsOf(texts.number), filter)
    this.#networks.offer(networkChoices(networks).map((value) => ({ value, text: brandTitle(value) })))
    const { chosen } = this.#networks
    const checked = card
      ? checkSavedCode(cvc.text, card.value, card.brand)
      : checkCard(texts, now, chosen ? { allowed: [chosen] } : filter)
    const brand = checked.brand.name
    number.show(!card)
    expiry.show(!card)
    name.show(isNameAsked && !card)
    this.#tellBrand({ brand, networks })
    this.#tellState({
      empty: !Object.values(card ? [cvc.text] : texts).some(Boolean),
      complete: checked.card !== null,
      brand,
      errors: renderFields(this.#fields, checked, this.#texts),
    })
    return checked
  }

  #listenToFields(): void {
    for (const name of fieldNames) {
      const field = this.#fields[name]
      field.input.addEventListener('input', (event) => {
        field.arrange(event instanceof InputEvent ? event.inputType : '')
        this.#render()
      })
      field.input.addEventListener('blur', () => {
        // Leaving an empty field is not a mistake yet.
        field.visited ||= field.text !== ''
        this.#render()
      })
    }
  }

  #listenToForm(): void {
    const isInside = ({ relatedTarget }: FocusEvent): boolean =>
      relatedTarget instanceof Node && this.#form.contains(relatedTarget)
    this.#form.addEventListener('focusin', (event) => isInside(event) || this.#tell({ type: 'focus' }))
    this.#form.addEventListener('focusout', (event) => isInside(event) || this.#tell({ type: 'blur' }))
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#tell({ type: 'submit' })
    })
  }
}

/**
 * Writes labels, messages and the brand into the document.
 *
 * @returns The errors that are shown now: those of the fields that the buyer has been to, and a card that is not taken.
 */
function renderFields(
  fields: CardFields,
  { brand, errors }: Pick<CheckedCard, 'brand' | 'errors'>,
  texts: Texts,
): FieldErrors {
  const shown: FieldErrors = { number: null, expiry: null, cvc: null, name: null }
  const placeholders: Partial<Record<FieldName, string>> = { ...texts.placeholders, cvc: codeHint(texts, brand) }
  const short: typeof placeholders = { number: '1234', expiry: '01 / 30', cvc: brand.cvcName }
  for (const name of fieldNames) {
    const error = errors[name]
    // No further digit makes a card one that the shop takes.
    const code = fields[name].visited || error === 'unsupported' ? error : null
    shown[name] = code
    fields[name].label(texts.labels[name], placeholders[name], short[name])
    fields[name].complain(code && errorText(texts, { field: name, code }, brand))
  }
  fields.cvc.show(takesCvc(brand))
  elementById('networks-label', HTMLElement).textContent = texts.network
  elementById('saved-label', HTMLElement).textContent = texts.savedCards
  renderBrand(brand.name)
  return shown
}

/** The mark is an image; its name is read out with the number's label. */
function renderBrand(name: Brand['name']): void {
  elementById('brand-mark', SVGUseElement).setAttribute('href', `#${name}`)
  elementById('brand-name', HTMLElement).textContent = brandTitle(name)
}
