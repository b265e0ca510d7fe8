import type { Found } from '../../inspect/inspection.ts'
import { element } from './element.ts'

/** What stands in the place of a list: why the platform does not tell, else that there is nothing yet; nothing beside items. */
export function missingNote({ items, missing }: Found<unknown>, nothing: string): HTMLElement[] {
  if (missing === null && items.length > 0) return []
  return [element('p', { className: 'note', textContent: missing ?? nothing })]
}
