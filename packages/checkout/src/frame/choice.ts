import { elementById } from './card-field.ts'

/** One of several that a buyer may choose. */
export interface Option<T extends string> {
  value: T
  text: string
  disabled?: boolean
}

/** A group of radio buttons, which is shown only while there is something to choose. */
export class Choice<T extends string> {
  /** The buyer's choice, or the first option; `null` if there are none. */
  chosen: T | null = null
  #picked: T | null = null
  /** While a card is on its way the choice stays as it is. */
  locked = false
  /** Shows a choice. What the buyer chose before stays, if it can; else it is the first that can be chosen. */
  readonly offer: (options: readonly Option<T>[]) => void

  /** @param onChoice Is called when the buyer has chosen something else. */
  constructor(name: 'networks' | 'saved', onChoice: () => void) {
    const group = elementById(name, HTMLElement)
    const field = group.closest<HTMLElement>('.field')
    // The arrow keys click as well. A click that is prevented leaves the choice as it was.
    group.addEventListener('click', (event) => void (this.locked && event.preventDefault()))
    // The keyboard stays where it is: a message below a field that it leaves would move the choice away from the pointer.
    group.addEventListener('mousedown', (event) => event.preventDefault())
    this.offer = whenChanged((options: readonly Option<T>[]) => {
      const open = options.filter(({ disabled }) => !disabled)
      const picked = open.find(({ value }) => value === this.#picked)
      const { value: chosen = null } = picked ?? open[0] ?? {}
      this.#picked = picked?.value ?? null
      this.chosen = chosen
      if (field) field.hidden = !options.length
      group.replaceChildren(
        ...options.map(({ value, text, disabled }) => {
          const label = document.createElement('label')
          const radio = document.createElement('input')
          Object.assign(radio, { type: 'radio', name, value, disabled, checked: value === chosen })
          radio.addEventListener('change', () => {
            this.chosen = this.#picked = value
            onChoice()
          })
          label.append(radio, text)
          return label
        }),
      )
    }, [])
  }
}

/**
 * Passes states on to a listener, but none that is like the one before.
 *
 * @param state The state that the listener has; without it the first state is always passed on.
 */
export function whenChanged<T>(listener: (state: T) => unknown, state?: NoInfer<T>): (state: T) => void {
  let last = JSON.stringify(state)
  return (next) => {
    const serialised = JSON.stringify(next)
    if (serialised === last) return
    last = serialised
    listener(next)
  }
}
