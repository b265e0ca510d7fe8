import { luminanceOf, readableOn } from './readable-on.ts'
import { readRgb } from './read-rgb.ts'
import type { Settings } from './settings.ts'

/** The attributes that the styles select by, such as `data-corners`. */
const choices = ['arrangement', 'typeface', 'density', 'corners', 'fields', 'sections'] as const

/** Tells an element, which is the document's root, what the page is to look like. The styles do the rest. */
export function applyLook(root: HTMLElement, settings: Settings): void {
  for (const choice of choices) root.dataset[choice] = settings[choice]
  root.dataset['scheme'] = isDark(settings) ? 'dark' : 'light'
  const { colorAccent, colorBackground, colorSurface, colorText } = settings
  const colors = { accent: colorAccent, background: colorBackground, surface: colorSurface, text: colorText }
  for (const [name, color] of Object.entries(colors)) root.style.setProperty(`--${name}`, color)
  root.style.setProperty('--on-accent', readableOn(readRgb(colorAccent)))
}

/** Whether a page is light letters on a dark ground. */
export function isDark({ colorBackground }: Pick<Settings, 'colorBackground'>): boolean {
  return luminanceOf(readRgb(colorBackground)) < 0.18 // middle grey, as the eye has it
}
