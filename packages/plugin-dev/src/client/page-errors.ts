/** What went wrong in the page. */
export interface PageFailure {
  message: string
  stack: string
}

/** Whether the page could not even begin, so that nothing in it can take over a change. */
export interface StartState {
  failed: boolean
}

/** Tells of errors that nobody has caught, and notes whether the page has begun. */
export function watchErrors(report: (failure: PageFailure) => void): StartState {
  const start: StartState = { failed: false }
  let begun = false
  window.addEventListener('load', () => (begun = true))
  addEventListener(
    'error',
    (event) => {
      if (event.target instanceof HTMLScriptElement) start.failed = true // its module, or one that it imports
      if (!(event instanceof ErrorEvent) || event.message.includes('ResizeObserver loop')) return
      if (!begun) start.failed = true
      report(failureOf(event.error ?? event.message))
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => {
    // A module that cannot be loaded is told of with its own place.
    if (isOfModule(reason)) start.failed = true
    else report(failureOf(reason))
  })
  return start
}

function failureOf(error: unknown): PageFailure {
  if (error instanceof Error) return { message: `${error.name}: ${error.message}`, stack: error.stack ?? '' }
  return { message: String(error), stack: '' }
}

function isOfModule(reason: unknown): boolean {
  return reason instanceof TypeError && /dynamically imported module|module script/i.test(reason.message)
}
