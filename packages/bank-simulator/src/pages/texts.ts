import { challengeTexts, type ChallengeTexts } from './challenge-texts.ts'
import { orderTexts, type OrderTexts } from './order-texts.ts'

/** The texts of the bank's pages in one language. */
export type Texts = ChallengeTexts & OrderTexts

export const en: Texts = { ...challengeTexts.en, ...orderTexts.en }

/** Texts by language. */
export const languages: ReadonlyMap<string, Texts> = new Map(
  (Object.keys(challengeTexts) as (keyof typeof challengeTexts)[]).map((language) => [
    language,
    { ...challengeTexts[language], ...orderTexts[language] },
  ]),
)
