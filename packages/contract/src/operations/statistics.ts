import type { Operation } from '../operation.ts'
import { accountStatistics, statisticsQuery } from '../resources/statistics.ts'

/** Not in the reference: what happened, in numbers. */
export const statistics = {
  get: {
    method: 'GET',
    path: '/api/statistics/v1/statistics',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Read statistics',
    description:
      'Counts payments, refunds, disputes, attempts at processors and webhooks by hours or days of UTC. Drafts are not counted. A refund or dispute counts when it happens, whenever its payment was made. It takes the same time however many payments there are.',
    query: statisticsQuery,
    status: 200,
    response: accountStatistics,
    errors: [],
  },
} as const satisfies Record<string, Operation>
