import { basename, resolve } from 'node:path'

/** The most characters of a plugin's name. */
export const NAME_MAX_CHARS = 255

/** A name for the plugin of a folder: `one-page_checkout` is "One page checkout". */
export function nameOf(folder: string): string {
  const words = basename(resolve(folder))
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .slice(0, 64)
  return words === '' ? 'Plugin' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The id that a name becomes; of a name in another script, `plugin`. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const id = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
  return id === '' ? 'plugin' : id
}
