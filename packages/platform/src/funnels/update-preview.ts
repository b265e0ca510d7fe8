import type { Contract, FunnelSession } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Handler } from '../call.ts'

/**
 * Says what 3-D Secure comes to in a preview's next payment. Whoever uses the preview at the same time is read again: the
 * session is guarded by its revision.
 *
 * @throws {ApiError} 404 in production, where nobody simulates an issuer; 409 for the session of a buyer.
 */
export const updatePreview: Handler<Contract['funnels']['updatePreview']> = async ({ params, body }, call) => {
  const { parts, caller } = call
  if (parts.environment === 'production') throw notHere()
  const key = [caller.accountId, params.sessionId]
  const [row] = await parts.db.read(
    'SELECT resource, revision FROM funnel_sessions WHERE account_id = ? AND id = ?',
    key,
  )
  if (row === undefined) throw missing('funnel session', params.sessionId, 'sessionId')
  const session: FunnelSession = JSON.parse(String(row['resource']))
  if (session.preview === null) throw ofBuyer()
  const changed: FunnelSession = { ...session, preview: { ...session.preview, threeds: body.threeds } }
  return {
    body: changed,
    writes: [
      {
        sql: 'UPDATE funnel_sessions SET revision = revision + 1 WHERE account_id = ? AND id = ? AND revision = ?',
        params: [...key, Number(row['revision'])],
        expect: 1,
      },
      {
        sql: 'UPDATE funnel_sessions SET resource = ? WHERE account_id = ? AND id = ?',
        params: [JSON.stringify(changed), ...key],
      },
    ],
  }
}

function notHere(): ApiError {
  const message = 'No issuer is simulated in production; use the development environment.'
  return new ApiError('route_not_found', message)
}

function ofBuyer(): ApiError {
  const message = 'The session is a buyer’s, whose bank decides; begin a preview of its funnel.'
  return new ApiError('state_conflict', message, { param: 'sessionId' })
}
