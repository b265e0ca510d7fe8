import type { LeftOutClause } from '@tillwright/contract'

/** Why a promotion does not apply by itself, whatever the others are: the field that did it, and what was lacking. */
export interface Clause {
  clause: LeftOutClause
  /** A field of the promotion, with its index: `rules[1]`. */
  field: string
  message: string
}
