import type { FieldName } from '../card/check-card.ts'
import type { Edit, Edited } from '../card/edit-digits.ts'
import { elementById } from './element-by-id.ts'

/** One labelled input of the form and the place of its message. */
export class CardField {
  readonly input: HTMLInputElement
  /** Whether the buyer has been here: before that no message is shown. */
  visited = false
  readonly #label: HTMLElement
  readonly #message: HTMLElement
  readonly #edit: (edit: Edit) => Edited
  #previous = ''

  /** @param edit Arranges the text after every change. */
  constructor(name: FieldName, edit: (edit: Edit) => Edited) {
    this.input = elementById(name, HTMLInputElement)
    this.#label = elementById(`${name}-label`, HTMLElement)
    this.#message = elementById(`${name}-message`, HTMLElement)
    this.#edit = edit
  }

  /** The text as it is shown, separators included. */
  get text(): string {
    return this.input.value
  }

  /** Rearranges the text after the browser has applied an edit. */
  arrange(kind: string): void {
    const { input } = this
    const caret = input.selectionStart ?? input.value.length
    const edited = this.#edit({ previous: this.#previous, text: input.value, caret, kind })
    this.#previous = edited.text
    if (input.value === edited.text) return
    input.value = edited.text
    // Safari moves the focus to an input whose selection is set, so an autofilled field beside it is left alone.
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret)
  }

  /** Empties the field as if the buyer had never been here. */
  clear(): void {
    this.input.value = ''
    this.#previous = ''
    this.visited = false
  }

  /** Sets the words that stand at the field at all times. */
  label(label: string, placeholder: string): void {
    this.#label.textContent = label
    this.input.placeholder = placeholder
  }

  /** Shows a message below the field and marks it as wrong, or takes both away. */
  complain(message: string | null): void {
    if (this.#message.textContent !== (message ?? '')) this.#message.textContent = message
    this.input.setAttribute('aria-invalid', String(message !== null))
  }
}
