import type { ComponentType } from 'preact'
import { Landing } from '../steps/landing.tsx'
import type { PageId } from './page-of-step.ts'

/** The landing page is part of the application; later pages are loaded on the way to them. */
const loaders: Readonly<Record<PageId, () => Promise<ComponentType>>> = {
  landing: () => Promise.resolve(Landing),
  offer: async () => (await import('../steps/offer.tsx')).Offer,
  checkout: async () => (await import('../steps/checkout.tsx')).Checkout,
  upsell: async () => (await import('../steps/add-on.tsx')).Upsell,
  downsell: async () => (await import('../steps/add-on.tsx')).Downsell,
  'thank-you': async () => (await import('../steps/thank-you.tsx')).ThankYou,
}

/** The page that most likely follows each page. */
const following: Readonly<Partial<Record<PageId, PageId>>> = {
  landing: 'offer',
  offer: 'checkout',
  checkout: 'upsell',
  upsell: 'thank-you',
  downsell: 'thank-you',
}

/** Loads what shows a page. */
export function loadStep(pageId: PageId): Promise<ComponentType> {
  return loaders[pageId]()
}

/** Loads what follows a page, so that it is there when needed. Failures surface when the step is shown. */
export function prefetchAfter(pageId: PageId): void {
  const next = following[pageId]
  if (next !== undefined) loaders[next]().catch(() => {})
}
