import { liveEvents } from './events/index.ts'
import { testClock, type TestClock } from './http/index.ts'
import type { Services } from './request-context.ts'
import { failedRequests, startFailedRequests } from './requests/index.ts'
import type { Workers } from './workers.ts'

/** What the end and the answers of requests need. */
interface Telling {
  stopping: AbortSignal
  docsUrl: string
  /** The clock, where requests may move it. */
  movable: TestClock | null
}

/** Who is told of what requests do, and of the end. */
export function whoIsTold(workers: Workers, services: Services, { stopping, docsUrl, movable }: Telling) {
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
    stopTelling: () => Promise.all([live.stop(), failed.stop()]).then(() => {}),
  }
}
