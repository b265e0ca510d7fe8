/** Makes a change of the page seen as a movement, where the browser can and the buyer wants it. */
export async function transition(change: () => void): Promise<void> {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isStill || !('startViewTransition' in document) || document.visibilityState === 'hidden') return change()
  await document.startViewTransition(change).updateCallbackDone
}
