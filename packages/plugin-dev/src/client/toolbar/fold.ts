import { element } from './element.ts'

/** Something that tells more when it is opened. */
export interface Fold {
  /** What it is known by while its panel is drawn anew, so that it stays open. */
  id: string
  summary: readonly (Node | string)[]
  /** What is shown as JSON when it is open, one below the other. */
  values: readonly unknown[]
}

/** A line that opens to the whole of what it stands for. */
export function fold({ id, summary, values }: Fold): HTMLElement {
  const texts = values.map((value) => element('pre', { textContent: JSON.stringify(value, null, 2), tabIndex: 0 }))
  return element('details', { id }, element('summary', {}, ...summary), ...texts)
}

/** A part of a summary. */
export function part(className: string, text: string): HTMLElement {
  return element('span', { className, textContent: text, title: text })
}
