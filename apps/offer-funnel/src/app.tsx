import { type ComponentType, render } from 'preact'
import { Application, LoadFailed } from './application.tsx'
import { openFunnel } from './flow/open-funnel.ts'
import type { PageId } from './flow/page-of-step.ts'
import { loadStep, prefetchAfter } from './flow/steps.ts'
import { openOffer } from './offer/open-offer.ts'
import './styles/app.css'

const root = document.getElementById('app') ?? document.body
let turns = 0
const funnel = openFunnel((pageId, isFirst) => void show(pageId, isFirst))
const offer = openOffer(funnel.page)

async function show(pageId: PageId, isFirst: boolean): Promise<void> {
  turns += 1
  const turn = turns
  const Step = await loadStep(pageId).catch(() => LoadFailed)
  if (turn !== turns) return
  await transition(() => draw(pageId, Step))
  if (!isFirst) arrive()
  whenIdle(() => prefetch(pageId))
}

/** Brings what the buyer is likely to want next: its script, and before the checkout the card form's. */
function prefetch(pageId: PageId): void {
  prefetchAfter(pageId)
  if (pageId === 'offer') funnel.page.pay.checkout().catch(() => {}) // the checkout asks for it again, and says so
}

function draw(pageId: PageId, Step: ComponentType): void {
  render(<Application funnel={funnel} offer={offer} pageId={pageId} Step={Step} />, root)
}

/** A new page begins at its top, and is read from its heading on. */
function arrive(): void {
  scrollTo(0, 0)
  document.querySelector('h1')?.focus({ preventScroll: true })
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 1_000)
}

/** A buyer waits no longer than this for a browser that is too busy to begin a movement. */
const START_MAX_MS = 300

/**
 * Makes a change of the page seen as a movement, where the browser can and the buyer wants it. The change does not depend
 * on it: a browser makes it when it has drawn what was there before, and one that draws nothing would never make it.
 */
async function transition(change: () => void): Promise<void> {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isStill || !('startViewTransition' in document) || document.visibilityState === 'hidden') return change()
  const movement = document.startViewTransition(change)
  movement.ready.catch(() => {}) // skipped, here or by a browser that has no time for it: the change is made all the same
  const late = setTimeout(() => movement.skipTransition(), START_MAX_MS)
  await movement.updateCallbackDone.finally(() => clearTimeout(late))
}
