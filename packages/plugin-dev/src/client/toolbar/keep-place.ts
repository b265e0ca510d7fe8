/** Where a reader is in a panel that is about to be drawn anew: what is open, how far it was scrolled, and the focus. */
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

/** What has the focus, by its own id or by that of what it is in. */
function placeOfFocus(focused: Element | null): ((root: ShadowRoot) => HTMLElement | null) | null {
  if (focused === null) return null
  if (focused.id !== '') return (root) => root.getElementById(focused.id)
  const around = focused.closest('[id]')
  if (around === null) return null
  const name = focused.localName
  const at = [...around.querySelectorAll(name)].indexOf(focused)
  return (root) => root.getElementById(around.id)?.querySelectorAll<HTMLElement>(name)[at] ?? null
}
