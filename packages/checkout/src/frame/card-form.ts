import type { BrandFilter } from '../card/accepts-brand.ts'
import { digitsOf } from '../card/ascii-digits.ts'
import type { Brand } from '../card/brands.ts'
import {
  checkCard,
  fieldNames,
  type Card,
  type CheckedCard,
  type FieldErrors,
  type FieldName,
} from '../card/check-card.ts'
import { checkSavedCode } from '../card/check-saved-code.ts'
import { networkChoices, takenNetworks } from '../card/network-choices.ts'
import type { NetworkName } from '@tillwright/contract/networks'
import type { SavedCardCode } from '../card/saved-card.ts'
import { directionOf } from '../locales/direction-of.ts'
import { brandTitle } from './brand-title.ts'
import { findCardFields } from './card-fields.ts'
import { Choice } from './choice.ts'
import { elementById } from './element-by-id.ts'
import { renderFields } from './render-fields.ts'
import { savedOptions, type SavedOption } from './saved-options.ts'
import { Speech, type LoadTexts } from './speech.ts'
import { en, errorText, type Texts } from './texts.ts'
import { whenChanged } from './when-changed.ts'

/** What a shop says about the form. */
export interface FormOptions {
  locale: string
  /** The networks that the shop takes; all unless it says otherwise. */
  networks?: BrandFilter | undefined
  /** Whether the form asks for the name on the card. */
  name?: boolean | undefined
  /** The cards that the shop has stored for its customer; what is no `SavedCard` is left out. */
  savedCards?: readonly unknown[] | undefined
}

/** What may be told about the form: the verdict, and the errors that the buyer can see. */
export interface FormState {
  empty: boolean
  complete: boolean
  brand: Brand['name']
  errors: FieldErrors
}

/** What may be told about the number: its brand, or the one that the buyer chose, and all that it may be paid over. */
export interface FormBrand {
  brand: Brand['name']
  networks: readonly NetworkName[]
}

/** What happens in the form. `title` comes when it speaks another language, in which it is called so. */
export type FormEvent =
  | ({ type: 'change' } & FormState)
  | ({ type: 'brand' } & FormBrand)
  | { type: 'focus' | 'blur' | 'submit' }
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
  readonly #now: () => number
  readonly #speech: Speech
  readonly #tellState: (state: FormState) => void
  readonly #tellBrand: (brand: FormBrand) => void
  #texts = en
  /** The saved card that the buyer has chosen, if it is one. */
  #saved: SavedOption | undefined
  #options: FormOptions = { locale: en.locale }
  #isFocusWanted = false

  /**
   * @param tell Hears from the form.
   * @param now The time in milliseconds since 1970: it decides whether a card has expired.
   */
  constructor(tell: (event: FormEvent) => void, { now, loadTexts }: { now: () => number; loadTexts: LoadTexts }) {
    this.#tell = tell
    this.#tellState = whenChanged((state) => tell({ type: 'change', ...state }))
    this.#tellBrand = whenChanged((brand) => tell({ type: 'brand', ...brand }), { brand: 'unknown', networks: [] })
    this.#now = now
    this.#speech = new Speech(loadTexts, (texts) => this.#say(texts))
    this.#listenToFields()
    this.#listenToForm()
  }

  /** What the form says, in the language that it speaks now. */
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
    await this.#speech.speak(options.locale)
    this.#form.hidden = false
    this.#render()
    if (this.#isFocusWanted) this.focus()
  }

  /** Moves the keyboard to what is to be typed first, as soon as the form can be seen. */
  focus(): void {
    this.#isFocusWanted = this.#form.hidden === true
    this.#fields[this.#saved ? 'cvc' : 'number'].input.focus()
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
    this.#fields[field].input.focus()
    const code = error === 'required' || error === 'incomplete' ? 'card_incomplete' : 'card_invalid'
    return { complaint: { field, code, message: errorText(this.#texts, { field, code: error }, brand) } }
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
    const saved = savedOptions(savedCards, this.#texts, this.#now())
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
      : checkCard(texts, this.#now(), chosen ? { allowed: [chosen] } : filter)
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
        // Whoever passes through an empty field has made no mistake yet.
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
