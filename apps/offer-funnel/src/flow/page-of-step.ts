import type { SessionStep } from '@tillwright/plugin-sdk'

/** The pages of the funnel, in the order in which a buyer meets them. */
export const pageIds = ['landing', 'offer', 'checkout', 'upsell', 'downsell', 'thank-you'] as const
export type PageId = (typeof pageIds)[number]

/** The page that an id names; `landing` for any other, so that there is always something to see. */
export function pageOf(id: string): PageId {
  return pageIds.find((pageId) => pageId === id) ?? 'landing'
}

/** The page that shows a step: the one that it is bound to, else the one for its type. */
export function pageOfStep({ pageId, type }: Pick<SessionStep, 'pageId' | 'type'>): PageId {
  return pageOf(pageId ?? type.replaceAll('_', '-'))
}

/** Whether a buyer meets a page before another one. */
export function isBefore(pageId: PageId, other: PageId): boolean {
  return pageIds.indexOf(pageId) < pageIds.indexOf(other)
}
