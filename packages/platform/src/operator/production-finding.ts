/** The result of a check of what production rests on. */
export interface ProductionFinding {
  level: 'ok' | 'warn' | 'fail'
  /** One sentence that names the setting or the thing. */
  what: string
  /** `null` if there is nothing to fix. */
  fix: string | null
}

/** All is well. */
export const ok = (what: string): ProductionFinding => ({ level: 'ok', what, fix: null })
/** It will cost the operator one day. */
export const warn = (what: string, fix: string): ProductionFinding => ({ level: 'warn', what, fix })
/** It loses or refuses payments, or exposes something. */
export const fail = (what: string, fix: string): ProductionFinding => ({ level: 'fail', what, fix })
