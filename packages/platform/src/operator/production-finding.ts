/** The result of a check of what production rests on. */
export interface ProductionFinding {
  level: 'ok' | 'warn' | 'fail'
  /** One sentence that names the setting or the thing. */
  what: string
  /** `null` if there is nothing to fix. */
  fix: string | null
}

export const ok = (what: string): ProductionFinding => ({ level: 'ok', what, fix: null })
export const warn = (what: string, fix: string): ProductionFinding => ({ level: 'warn', what, fix })
export const fail = (what: string, fix: string): ProductionFinding => ({ level: 'fail', what, fix })
