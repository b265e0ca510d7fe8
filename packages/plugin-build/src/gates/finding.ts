/** Something in a text that must not reach a page. */
export interface Finding {
  /** Stable, for machines. */
  code: string
  severity: 'error' | 'warning'
  /** Its offset in the text. */
  index: number
  rule: string
  fix: string
}
