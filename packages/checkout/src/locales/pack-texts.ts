import { en } from '../frame/texts.ts'

/**
 * A language's texts as a list in the order of the English ones, which is how they travel: without names.
 *
 * @throws Error when a text is missing or is no text.
 */
export function packTexts(texts: unknown): string[] {
  return leaves(en, texts, 'texts')
}

function leaves(shape: object | string, texts: unknown, path: string): string[] {
  if (typeof shape === 'string') {
    if (typeof texts === 'string') return [texts]
    throw new Error(`${path} is missing: write it in every language.`)
  }
  const children = new Map(Object.entries(texts ?? {}))
  return Object.entries(shape).flatMap(([key, child]) => leaves(child, children.get(key), `${path}.${key}`))
}
