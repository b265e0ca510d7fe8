/** Something in a text that must not reach a page. */
export interface Finding {
  /** Stable, for machines. */
  code: string
  severity: 'error' | 'warning'
  /** Where it begins in the text. */
  index: number
  rule: string
  fix: string
}
