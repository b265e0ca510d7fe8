/** Does something a moment after it was asked for, once for all that ask meanwhile. */
export function afterAMoment(delayMs: number, work: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      work()
    }, delayMs)
  }
}
