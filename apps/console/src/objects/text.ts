import { loadTexts, textsOf } from '../language/texts.ts'
import type { texts } from './texts/en.ts'

// Pages of several parts draw these objects, so their texts come with the code.
await loadTexts('objects')

export const text = textsOf<typeof texts>('objects')
