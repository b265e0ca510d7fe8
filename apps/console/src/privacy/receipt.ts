import type { Contract, KeptReason, Remainder, ResponseOf } from '@tillwright/contract'
import { loadTexts, textsOf, wordsOf } from '../language/texts.ts'
import type { texts } from './texts/en.ts'

// Pages of customers and of the account show receipts, so their texts come with the code.
await loadTexts('privacy')

const text = textsOf<typeof texts>('privacy')

type Erasure = ResponseOf<Contract['erasures']['get']>
type Kept = NonNullable<Erasure['receipt']>[number]['kept'][number]

/** Why fields of an erased customer stay. */
export function whyKept({ code, reason }: Kept): string {
  const key: `kept.${KeptReason}` = `kept.${code}`
  return wordsOf(text, key, reason)
}

/** Explanation of one kind of data that the platform cannot erase. */
export function whatRemains({ code, message }: Erasure['remains'][number]): string {
  const key: `remains.${Remainder}` = `remains.${code}`
  return wordsOf(text, key, message)
}
