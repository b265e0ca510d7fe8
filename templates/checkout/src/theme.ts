import type { Page } from '@tillwright/plugin-sdk'
import { textOn } from './rules/text-on.ts'

/** Gives the document the merchant's looks, and follows them while they are edited. */
export function followTheme(page: Page): void {
  const { dataset, style } = document.documentElement
  const apply = () => {
    const { theme, accent } = page.config.get()
    dataset['theme'] = theme
    style.setProperty('--accent', accent)
    style.setProperty('--on-accent', textOn(accent))
  }
  apply()
  page.config.subscribe(apply)
}
