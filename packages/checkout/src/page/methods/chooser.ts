import type { PaymentMethodType } from '@tillwright/contract'
import type { PartCore } from '../part-core.ts'
import { make, styles, wear } from './looks.ts'
import type { MethodsChoice, MethodsOptions, Panel } from './options.ts'
import { panelOf, type PanelPlace } from './panels.ts'
import type { MethodLanguage } from './texts.ts'

/** The radio group of the methods. */
export interface Chooser {
  root: HTMLElement
  shown(): readonly PaymentMethodType[]
  /** Shows these methods; what was typed into those that stay, stays. */
  show(listed: readonly PaymentMethodType[]): void
  choice(): Promise<MethodsChoice>
  destroy(): void
}

/** Makes the group, which is not in the page yet. */
export function chooser(language: MethodLanguage, options: MethodsOptions, core: PartCore): Chooser {
  const { CheckoutError: Failure } = core
  const { root, legend } = emptyGroup(language)
  const undress = wear(root, { ...core.settings.options, ...options.card }.appearance)
  const made = new Map<PaymentMethodType, Option>()
  let shown: readonly Option[] = []
  let chosen: Option | undefined
  let reported = ''
  let isDestroyed = false
  const optionOf = optionMaker({ texts: language.texts, options, core, notice }, choose)

  function notice(): void {
    if (!chosen) return
    const state = { type: chosen.type, complete: chosen.panel.isComplete() }
    if (reported !== (reported = JSON.stringify(state))) options.onChange?.(state)
  }

  function choose(option: Option | undefined): void {
    chosen = option
    for (const each of shown) {
      each.radio.checked = each === option
      each.panel.element.style.display = each === option ? '' : 'none'
    }
    option?.panel.open?.()
    notice()
  }

  return {
    root,
    shown: () => shown.map(({ type }) => type),
    show(listed) {
      for (const { element } of shown) element.style.display = 'none'
      shown = listed.map((type) => made.get(type) ?? optionOf(type)).filter((option) => !!option)
      for (const option of shown) made.set(option.type, option)
      arrange(shown, { root, legend })
      choose(shown.find((option) => option === chosen) ?? shown[0])
    },
    async choice() {
      if (isDestroyed) throw new Failure('destroyed', 'The methods were destroyed; call methods() again.')
      if (!chosen) throw new Failure('method_incomplete', 'There is no method that takes this payment.')
      return chosen.panel.choice()
    },
    destroy() {
      isDestroyed = true
      undress()
      for (const { panel } of made.values()) panel.close?.()
      root.remove()
    },
  }
}

/** One method in the group. */
interface Option {
  type: PaymentMethodType
  element: HTMLElement
  row: HTMLElement
  radio: HTMLInputElement
  panel: Panel
}

interface Group {
  root: HTMLElement
  legend: HTMLElement
}

function emptyGroup({ language, texts }: MethodLanguage): Group {
  const legend = make('legend', styles.label, texts.legend)
  const root = make('fieldset', '', legend)
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'
  return { root, legend }
}

let groups = 0

/** Makes the options of one group; none for a method that this release does not know. */
function optionMaker(place: PanelPlace, choose: (option: Option) => void) {
  const name = `tillwright-methods-${(groups += 1)}`
  return (type: PaymentMethodType): Option | undefined => {
    const known = panelOf(type, place)
    if (!known) return undefined
    const radio = make('input', styles.mark)
    Object.assign(radio, { type: 'radio', name, value: type })
    const row = make('label', styles.choice, radio, known.name)
    const panel = known.panel()
    const option = { type, radio, row, panel, element: make('div', '', row, panel.element) }
    radio.onclick = () => choose(option) // by keys, too, and also of the one that is chosen: it may have to come back
    return option
  }
}

/** Puts the options into the group; one alone is no choice, and has no radio button. */
function arrange(shown: readonly Option[], { root, legend }: Group): void {
  const isGroup = shown.length > 1
  legend.style.display = isGroup ? '' : 'none'
  if (isGroup) root.removeAttribute('role')
  else root.setAttribute('role', 'none')
  let last = legend
  for (const { element, row } of shown) {
    // One that is there stays where it is: a frame that is moved is loaded anew.
    if (!element.parentNode) last.after(element)
    element.style.cssText = isGroup ? styles.option : ''
    row.style.display = isGroup ? 'flex' : 'none'
    last = element
  }
}
