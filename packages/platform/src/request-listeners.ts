import { liveEvents } from './events/index.ts'
import { testClock, type TestClock } from './http/index.ts'
import type { Services } from './request-context.ts'
import { failedRequests, startFailedRequests } from './requests/index.ts'
import type { Workers } from './workers.ts'

interface ListenerOptions {
  stopping: AbortSignal
  docsUrl: string
  /** The clock, where requests may move it. */
  movable: TestClock | null
}

/** The listeners to what requests do: the live streams, the log of failed requests, the workers. */
export function requestListeners(
  workers: Workers,
  services: Services,
  { stopping, docsUrl, movable }: ListenerOptions,
) {
  const live = liveEvents(services)
  const failed = startFailedRequests(services)
  const wake = (accountId: string) => {
    workers.wake()
    live.wake(accountId)
  }
  return {
    liveEvents: live,
    failedRequests: failed,
    own: { requests: failedRequests(failed, docsUrl), testClock: testClock(movable) },
    noteKeyUse: workers.noteKeyUse,
    wake,
    stopping,
    stopListeners: () => Promise.all([live.stop(), failed.stop()]).then(() => {}),
  }
}
