import { digitsOf } from '../card/ascii-digits.ts'
import { type Brand, brandOf } from '../card/brands.ts'
import type { FieldName } from '../card/check-card.ts'
import { type Edit, editDigits, type Edited } from '../card/edit-digits.ts'
import {
  editExpiry,
  EditHistory,
  editNumber,
  isWholeExpiry,
  isWholeNumber,
  splitCardLine,
} from '../card/field-edits.ts'

/** The rules of one field. */
export interface FieldRules {
  /** Arranges the text after every change. */
  edit: (edit: Edit) => Edited
  /** Whether a text is all that there is to type, so that the keyboard may move on. */
  isWhole?: (text: string) => boolean
  /** The field to which the keyboard moves on. */
  next?: CardField
}

let measuring: CanvasRenderingContext2D | null = null

/** Measures texts. Made when the first one is measured, since the rules of the fields are also read where there is no page. */
function pen(): CanvasRenderingContext2D | null {
  return (measuring ??= document.createElement('canvas').getContext('2d'))
}

/** One labelled input of the form and the place of its message. */
class CardField {
  readonly input: HTMLInputElement
  /** Whether the buyer has been here: before that no message is shown. */
  visited = false
  readonly #field: HTMLElement | null
  readonly #label: HTMLElement
  readonly #message: HTMLElement
  readonly #rules: FieldRules
  readonly #history = new EditHistory()
  #placeholders: readonly [long: string, short: string] = ['', '']
  #previous = ''
  #isComposing = false
  /** Whether the keyboard came here by itself and nothing has happened since. */
  #isJustEntered = false

  constructor(name: FieldName, rules: FieldRules) {
    this.input = elementById(name, HTMLInputElement)
    this.#field = this.input.closest<HTMLElement>('.field')
    this.#label = elementById(`${name}-label`, HTMLElement)
    this.#message = elementById(`${name}-message`, HTMLElement)
    this.#rules = rules
    this.#listenToInputMethods()
    this.#listenToAutofill()
    this.#listenToKeys()
    new ResizeObserver(() => this.#fitPlaceholder()).observe(this.input)
  }

  /** The text as it is shown, separators included. */
  get text(): string {
    return this.input.value
  }

  /** Rearranges the text after the browser has applied an edit; not while an input method is still at work on it. */
  arrange(kind: string): void {
    const { input } = this
    if (this.#isComposing || input.value === this.#previous) return
    const caret = input.selectionStart ?? input.value.length
    const previous = this.#previous
    const edited = this.#rules.edit({ previous, text: input.value, caret, kind })
    this.#show(edited)
    if (edited.text === previous) return
    this.#history.record(edited)
    if (kind === 'insertText' && edited.caret === edited.text.length) this.#moveOn()
  }

  /** Fills the field in as if the buyer had pasted a text. */
  fill(text: string): void {
    this.input.value = text
    this.#tell()
  }

  /** Empties the field as if the buyer had never been here. */
  clear(): void {
    this.input.value = ''
    this.#previous = ''
    this.#history.clear()
    this.visited = false
  }

  /**
   * Takes the keyboard. In WebKit a frame that has not been touched yet may have it, but no field of it: the field
   * looks as if it had it, and the first key goes there.
   *
   * @returns Whether the field has it now.
   */
  take(): boolean {
    const { input } = this
    input.focus()
    if (document.activeElement === input) return true
    input.classList.add('next')
    const done = new AbortController()
    for (const type of ['keydown', 'focusin', 'blur'] as const) {
      addEventListener(
        type,
        (event) => {
          done.abort()
          input.classList.remove('next')
          if (type !== 'keydown') return
          input.focus()
          if ('key' in event && event.key === 'Tab') event.preventDefault()
        },
        done,
      )
    }
    return false
  }

  /** Shows the whole field or hides it; what was typed stays. */
  show(shown: boolean): void {
    if (this.#field) this.#field.hidden = !shown
  }

  /**
   * Sets the words that stand at the field at all times.
   *
   * @param short The placeholder of a field that is too narrow for the longer one, in whichever language and font.
   */
  label(label: string, placeholder = '', short = placeholder): void {
    this.#label.textContent = label
    this.#placeholders = [placeholder, short]
    this.#fitPlaceholder()
  }

  #fitPlaceholder(): void {
    const [long, short] = this.#placeholders
    const { clientWidth } = this.input
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(this.input)
    const measure = pen()
    if (measure) measure.font = `${fontWeight} ${fontSize} ${fontFamily}`
    const width = (measure?.measureText(long).width ?? 0) + parseFloat(paddingLeft) + parseFloat(paddingRight)
    this.input.placeholder = width > clientWidth ? short : long
  }

  /** Shows a message below the field and marks it as wrong, or takes both away. */
  complain(message: string | null): void {
    if (this.#message.textContent !== (message ?? '')) this.#message.textContent = message
    this.input.setAttribute('aria-invalid', String(message !== null))
  }

  #show({ text, caret }: Edited): void {
    const { input } = this
    this.#previous = text
    if (input.value === text) return
    input.value = text
    // Safari moves the focus to an input whose selection is set, so only the focused field is set.
    if (document.activeElement === input) input.setSelectionRange(caret, caret)
  }

  /** Says that the text has changed where the browser does not. */
  #tell(): void {
    this.input.dispatchEvent(new Event('input'))
  }

  /** Moves the keyboard from a whole text to an empty field, and never away from where the buyer has put it. */
  #moveOn(): void {
    const { isWhole, next } = this.#rules
    if (!next || next.text !== '' || document.activeElement !== this.input || !isWhole?.(this.text)) return
    next.input.focus()
    next.#isJustEntered = document.activeElement === next.input // A hidden field takes no focus.
  }

  #listenToInputMethods(): void {
    this.input.addEventListener('compositionstart', () => (this.#isComposing = true))
    this.input.addEventListener('compositionend', () => {
      this.#isComposing = false
      this.#tell()
    })
  }

  /** Some browsers fill a field in with a `change` at most; the style sheet starts an animation as they do. */
  #listenToAutofill(): void {
    for (const type of ['change', 'animationstart']) {
      this.input.addEventListener(type, () => this.text === this.#previous || this.#tell())
    }
  }

  #listenToKeys(): void {
    const { input } = this
    input.addEventListener('beforeinput', (event) => {
      if (event.inputType === 'historyUndo') this.#restore(event, this.#history.undo())
      if (event.inputType === 'historyRedo') this.#restore(event, this.#history.redo())
    })
    input.addEventListener('blur', () => (this.#isJustEntered = false))
    input.addEventListener('keydown', (event) => {
      // The Tab of a buyer who did not see the keyboard move on by itself must not skip a field.
      if (this.#isJustEntered && event.key === 'Tab' && !event.shiftKey) event.preventDefault()
      this.#isJustEntered = false
      if (event.altKey || !(event.ctrlKey || event.metaKey) || input.readOnly) return
      const key = (event.shiftKey ? 'shift+' : '') + event.key.toLowerCase()
      if (key === 'z') this.#restore(event, this.#history.undo())
      if (key === 'y' || key === 'shift+z') this.#restore(event, this.#history.redo())
    })
  }

  #restore(event: Event, state: Edited | null): void {
    event.preventDefault()
    if (!state) return
    this.#show(state)
    this.#tell()
  }
}

/** The fields of the card form. */
export type CardFields = Record<FieldName, CardField>

/**
 * Finds the fields in the document.
 *
 * @param isChoiceOpen Whether the number leaves a choice of networks: the keyboard then does not pass over it by
 *   itself.
 * @param savedBrand The brand of the saved card that the security code is for; without one it follows from the number.
 */
export function findCardFields(isChoiceOpen: () => boolean, savedBrand: () => Brand | undefined): CardFields {
  const cvc = new CardField('cvc', {
    edit: (edit) => {
      const { cvcLengths } = savedBrand() ?? brandOf(digitsOf(number.text))
      // Where one network of a card takes no code, another one may: it has three digits at least.
      const max = Math.max(3, ...cvcLengths)
      return editDigits(edit, () => ({ max, separator: '', breaks: [], separates: 'lazy' }))
    },
  })
  const expiry = new CardField('expiry', { edit: editExpiry, isWhole: isWholeExpiry, next: cvc })
  const number = new CardField('number', {
    edit: (edit) => {
      const line = splitCardLine(edit.text)
      if (!line) return editNumber(edit)
      const edited = editNumber({ ...edit, text: line.number, caret: line.number.length })
      number.input.value = edited.text // before the security code, whose length follows from it
      expiry.fill(line.expiry)
      if (line.cvc) cvc.fill(line.cvc)
      return edited
    },
    isWhole: (text) => isWholeNumber(text) && !isChoiceOpen(),
    next: expiry,
  })
  const name = new CardField('name', { edit: ({ text, caret }) => ({ text, caret }) })
  return { number, expiry, cvc, name }
}

/**
 * Finds an element of the form's own document.
 *
 * @param type The element's class, so that the caller gets it typed.
 * @throws Error when document and script do not belong together.
 */
export function elementById<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (element instanceof type) return element
  throw new Error(`The document has no ${id}.`)
}
