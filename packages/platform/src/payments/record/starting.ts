import type { Emitter } from '../../events/index.ts'
import type { RequestContext } from '../../request-context.ts'

/** The part of a call that a payment begins with, so that a worker can begin one too. */
export type Starting = Emitter & Pick<RequestContext, 'services' | 'idempotencyKey'>
