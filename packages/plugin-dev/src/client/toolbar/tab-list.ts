import { element } from './element.ts'

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
