const SECOND_MS = 1_000

/** A request that carries an attempt has its answer by then, repetitions included, or is given up. */
export const REQUEST_MS = 25 * SECOND_MS
/** An attempt that has waited for so long since it was put on record is not sent any more. */
export const SENT_WITHIN_MS = 60 * SECOND_MS
/** After that no request with the attempt is on its way any more, whatever clocks say. */
export const GONE_AFTER_MS = SENT_WITHIN_MS + REQUEST_MS + 60 * SECOND_MS
