import { loadTexts, textsOf } from '../../language/texts.ts'
import type { texts } from './texts/en.ts'

// The pages of processors say how flows use them, so the texts come with the code.
await loadTexts('pages/flows')

export const text = textsOf<typeof texts>('pages/flows')
