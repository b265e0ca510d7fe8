import type { SessionOrder } from '@tillwright/plugin-sdk'

/** What a buyer may call an order: the end of its id, in capitals, because people read it out. Empty for one without an id. */
export function orderNumber({ id }: Pick<SessionOrder, 'id'>): string {
  return (id ?? '').slice(-8).toUpperCase()
}
