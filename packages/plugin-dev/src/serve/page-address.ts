import type { PageEntry } from '@tillwright/plugin-build'

/** The address of a page, with something in the place of each `:parameter`. */
export function pageAddress({ path }: Pick<PageEntry, 'path'>, params: Readonly<Record<string, string>> = {}): string {
  return path
    .split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(params[part.slice(1)] ?? 'preview') : part))
    .join('/')
}
