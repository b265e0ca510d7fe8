import type { SessionOrder } from '@tillwright/plugin-sdk'
import type { Texts } from '../texts/en.ts'

/** Why a code does not reduce the order, where a buyer can make something of it. */
const reasons: Readonly<Record<string, keyof Texts>> = {
  ended: 'codeEnded',
  disabled: 'codeEnded',
  usage_limit: 'codeEnded',
  not_started: 'codeNotYet',
  combination: 'codeCombination',
}

/** The effect of an entered promotion code, as a key of the texts. Codes are case-insensitive. */
export function explainCode(code: string, { promotions }: Pick<SessionOrder, 'promotions'>): keyof Texts {
  const isIt = (promotion: { code: string | null }): boolean => promotion.code?.toUpperCase() === code.toUpperCase()
  if (promotions.applied.some(isIt)) return 'codeApplied'
  return reasons[promotions.leftOut.find(isIt)?.clause ?? ''] ?? 'codeLeftOut'
}
