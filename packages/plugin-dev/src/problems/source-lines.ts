import { isAbsolute, relative, sep } from 'node:path'

/** Relative to the plugin's folder where it lies in it. */
export function shownPath(root: string, path: string): string {
  const below = isAbsolute(path) ? relative(root, path) : path
  return (below.startsWith('..') ? path : below).split(sep).join('/')
}
