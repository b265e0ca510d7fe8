import type { SessionOrder } from '@tillwright/plugin-sdk'

/** A short order number for buyers to read out: the end of the id, in capitals. Empty without an id. */
export function orderNumber({ id }: Pick<SessionOrder, 'id'>): string {
  return (id ?? '').slice(-8).toUpperCase()
}
