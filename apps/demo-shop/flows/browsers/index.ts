import { chromium } from './chromium.ts'
import { firefox } from './firefox.ts'
import { webkit } from './webkit.ts'
import type { Engine } from './page.ts'

export type { Engine, RunningBrowser } from './page.ts'

/** The three engines of today's browsers. */
export const allEngines: readonly Engine[] = [chromium, firefox, webkit]
export { enterShop, textOf, valueOf } from './shopper.ts'
