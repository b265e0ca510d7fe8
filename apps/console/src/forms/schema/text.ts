import { loadTexts, textsOf } from '../../language/texts.ts'
import type { texts } from './texts/en.ts'

// Pages of several parts have these fields, so their texts come with the code.
await loadTexts('forms/schema')

export const text = textsOf<typeof texts>('forms/schema')
