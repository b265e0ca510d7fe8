/** A buyer waits no longer than this for a browser that is too busy to begin a movement. */
const START_MAX_MS = 300

/**
 * Makes a change of the page seen as a movement, where the browser can and the buyer wants it. The change does not depend
 * on it: a browser makes it when it has drawn what was there before, and one that draws nothing would never make it.
 */
export async function transition(change: () => void): Promise<void> {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isStill || !('startViewTransition' in document) || document.visibilityState === 'hidden') return change()
  const movement = document.startViewTransition(change)
  const late = setTimeout(() => movement.skipTransition(), START_MAX_MS)
  await movement.updateCallbackDone.finally(() => clearTimeout(late))
}
