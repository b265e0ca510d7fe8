import { en, type Texts } from '../frame/texts.ts'

const shape = JSON.stringify(en)

/**
 * The texts of a language from the list that `packTexts` made.
 *
 * @returns `null` for anything but a list of exactly as many texts as there are in English, none of them empty.
 */
export function unpackTexts(data: unknown): Texts | null {
  if (!Array.isArray(data) || !data.every((text) => typeof text === 'string' && text !== '')) return null
  let next = 0
  // The shape of the English texts, whose every leaf becomes the next of the list.
  const texts: Texts = JSON.parse(shape, (_, value) => (typeof value === 'string' ? (data[next++] ?? '') : value))
  return next === data.length ? texts : null
}
