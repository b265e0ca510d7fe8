/** The tab's storage; `null` where the buyer's browser refuses it, so that nothing survives a reload. */
export function tabStorage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
