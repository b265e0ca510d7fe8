import { textsOf } from '../language/texts.ts'
import type { texts } from './texts/en.ts'

/** The texts that all pages share. They are loaded before the first page is drawn. */
export const text = textsOf<typeof texts>('shell')
