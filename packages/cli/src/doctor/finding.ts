/** How something is: as it should be, worth knowing, or in the way. */
export type Level = 'ok' | 'warn' | 'fail'

/** What was looked at and found. */
export interface Finding {
  level: Level
  what: string
  /** What to do about it; `null` where nothing is to be done. */
  fix: string | null
}

/** Something that is as it should be. */
export function ok(what: string): Finding {
  return { level: 'ok', what, fix: null }
}

/** Something that some commands will trip over. */
export function warn(what: string, fix: string): Finding {
  return { level: 'warn', what, fix }
}

/** Something that does not work. */
export function fail(what: string, fix: string): Finding {
  return { level: 'fail', what, fix }
}
