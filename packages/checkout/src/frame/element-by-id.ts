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
