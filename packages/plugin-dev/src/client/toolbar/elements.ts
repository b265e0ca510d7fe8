import { currencyFormat, decimalsOf } from '@tillwright/contract/decimals'
import type { Found } from '../../protocol.ts'

/** Makes an element with what is in it; a property of it is named as in the DOM, anything with a `-` is an attribute. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role') made.setAttribute(key, String(value))
    else Reflect.set(made, key, value)
  }
  made.append(...children)
  return made
}

/** A line with details. */
export interface Fold {
  /** Stable across renders, so that an open fold stays open. */
  id: string
  summary: readonly (Node | string)[]
  /** Shown as JSON when open, one below the other. */
  values: readonly unknown[]
}

/** A line that opens to show its details. */
export function fold({ id, summary, values }: Fold): HTMLElement {
  const texts = values.map((value) => element('pre', { textContent: JSON.stringify(value, null, 2), tabIndex: 0 }))
  return element('details', { id }, element('summary', {}, ...summary), ...texts)
}

/** A part of a summary. */
export function part(className: string, text: string): HTMLElement {
  return element('span', { className, textContent: text, title: text })
}

/** The note for an empty list: the reason for which it could not be read, or `nothing`. Empty if there are items. */
export function emptyNote({ items, missing }: Found<unknown>, nothing: string): HTMLElement[] {
  if (missing === null && items.length > 0) return []
  return [element('p', { className: 'note', textContent: missing ?? nothing })]
}

/** An amount of minor units for an author to read: `$24.00`. */
export function formatAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', currencyFormat(currency)).format(amount / 10 ** decimalsOf(currency))
}

/** Tabs, of which one is chosen. */
export interface TabList<Name extends string> {
  names: readonly Name[]
  chosen: Name
  choose: (name: Name) => void
}

/** A row of tabs. Arrows, Home and End go from one to the other. Source: WAI-ARIA Authoring Practices, tabs. */
export function tabList<Name extends string>({ names, chosen, choose }: TabList<Name>): HTMLElement {
  const heads = names.map((name) =>
    element(
      'button',
      {
        id: `tab-${name}`,
        role: 'tab',
        'aria-selected': name === chosen,
        'aria-controls': 'panel',
        tabIndex: name === chosen ? 0 : -1,
        onclick: () => choose(name),
      },
      name,
    ),
  )
  const onkeydown = (event: KeyboardEvent) => {
    const next = names[placeOf(event.key, names.indexOf(chosen), names.length)]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return element('nav', { role: 'tablist', 'aria-label': 'Tools for authors', onkeydown }, ...heads)
}

/** @returns -1 for a key that goes nowhere. */
function placeOf(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}

/** Saves the open folds, scroll position and focus before a render; the returned function restores them. */
export function keepPlace(root: ShadowRoot): () => void {
  const open = [...root.querySelectorAll('details[open]')].map(({ id }) => id)
  const scrolled = root.querySelector('.body')?.scrollTop ?? 0
  const focused = placeOfFocus(root.activeElement)
  return () => {
    for (const id of open) root.getElementById(id)?.setAttribute('open', '')
    root.querySelector('.body')?.scrollTo({ top: scrolled })
    focused?.(root)?.focus({ preventScroll: true })
  }
}

/**
 * Finds the focused element again after a render: by its id, or by its position within the nearest element with an id.
 */
function placeOfFocus(focused: Element | null): ((root: ShadowRoot) => HTMLElement | null) | null {
  if (focused === null) return null
  if (focused.id !== '') return (root) => root.getElementById(focused.id)
  const around = focused.closest('[id]')
  if (around === null) return null
  const name = focused.localName
  const at = [...around.querySelectorAll(name)].indexOf(focused)
  return (root) => root.getElementById(around.id)?.querySelectorAll<HTMLElement>(name)[at] ?? null
}

/** A value in `localStorage`; `first` if there is none or it cannot be parsed. */
export function persisted<Value>(key: string, first: Value): { get: () => Value; set: (value: Value) => void } {
  const name = `tillwright-toolbar:${key}`
  return {
    get() {
      try {
        return JSON.parse(localStorage.getItem(name) ?? '') as Value // written by `set`
      } catch {
        return first
      }
    },
    set: (value) => localStorage.setItem(name, JSON.stringify(value)),
  }
}

/** Does something a moment after it was asked for, once for all that ask meanwhile. */
export function delayOnce(delayMs: number, work: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      work()
    }, delayMs)
  }
}
