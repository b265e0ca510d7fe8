import type { PluginMode } from '@tillwright/contract'

/**
 * Which file of a deployment is a page's document, the best first. A page of a plugin in direct mode has one of its own,
 * and the default page may also be `index.html`; an application has one for all of its pages.
 */
export function documentPaths(page: { id: string; isDefault?: boolean | undefined }, mode: PluginMode): string[] {
  const own = [`pages/${page.id}.html`, `${page.id}.html`]
  switch (mode) {
    case 'direct-mode':
      return page.isDefault === true ? [...own, 'index.html'] : own
    case 'spa-mode':
      return ['index.html', ...own]
  }
}
