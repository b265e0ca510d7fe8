import type { Funnel } from '@tillwright/contract'
import { drawOf } from '../ambient/draw-of.ts'
import { pickByWeight } from '../ambient/pick-by-weight.ts'

/**
 * The variant that a session shows, by weight. The same subject draws the same variant of a funnel each time: a session,
 * or a customer who is to keep theirs.
 *
 * @param subject The session's or the customer's id.
 * @returns `null` for a funnel without variants.
 */
export function pickVariant({ id, variants }: Pick<Funnel, 'id' | 'variants'>, subject: string): string | null {
  return pickByWeight(variants, drawOf(`${id} ${subject}`))?.id ?? null
}
