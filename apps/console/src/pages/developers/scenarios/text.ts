import { textsOf } from '../../../language/texts.ts'
import type { texts } from './texts/en.ts'

export const text = textsOf<typeof texts>('pages/developers/scenarios')
