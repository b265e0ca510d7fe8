import type { AppliedPromotion, Lack, LackCode, LeftOutPromotion } from '@tillwright/contract'
import { wordsOf } from '../language/texts.ts'
import { count, money } from '../language/values.ts'
import { text } from './text.ts'

/** Why a promotion does not discount an order, in a few words. */
export function leftOutWords({ clause, message }: LeftOutPromotion): string {
  const key: `leftOut.${LeftOutPromotion['clause']}` = `leftOut.${clause}`
  return wordsOf((each: typeof key) => text(each), key, message)
}

interface WhyProps {
  left: LeftOutPromotion
  /** The promotions that do discount the order. */
  applied: readonly AppliedPromotion[]
}

/** Unmet conditions of the rules or actions of a promotion, or the other promotion that excludes it. */
export function WhyLeftOut({ left, applied }: WhyProps) {
  const other = applied.find(({ promotionId }) => promotionId === left.withPromotionId)
  return (
    <>
      {other !== undefined && <p>{text('leftOut.combinesNotWith', { name: other.name })}</p>}
      {left.lacks.map((lack) => (
        <p key={lack.field}>
          <code>{lack.field}</code> {lackWords(lack, left.message)}
        </p>
      ))}
      {left.lacks.length === 0 && (
        <p>
          {text('leftOut.field')} <code>{left.field}</code>
        </p>
      )}
    </>
  )
}

function lackWords({ code, wanted, found, currency }: Lack, fallback: string): string {
  const shown = (value: number | null) =>
    code === 'subtotal' && currency !== null ? money(value ?? 0, currency) : count(value ?? 0)
  const key: `lack.${LackCode}` = `lack.${code}`
  const values = { wanted: shown(wanted), found: shown(found), currency: currency ?? '' }
  return wordsOf((each: typeof key) => text(each, values), key, fallback)
}
