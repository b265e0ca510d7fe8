import type { Operation } from '../operation.ts'
import { platformState } from '../resources/platform.ts'

/** Not in the reference: the health of the platform itself, for its operator. */
export const platform = {
  get: {
    method: 'GET',
    path: '/api/platform/v1/state',
    audience: 'admin',
    operator: true,
    scope: 'platform:read',
    summary: 'Read the state of the platform',
    description:
      'Processes, what waits, recovery, retention, the schema, keys, backup and disk, and which alert rules they amount to. Counts stop at 10,000, so that it takes the same time however much there is.',
    status: 200,
    response: platformState,
    errors: ['operator_required'],
  },
} as const satisfies Record<string, Operation>
