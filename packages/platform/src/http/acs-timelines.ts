import { isUuid } from '@tillwright/emv-3ds'
import { ApiError } from '../ambient/api-error.ts'
import type { Parts } from '../call.ts'
import type { AcsPage } from '../payments/threeds/engine/pages/acs-page.ts'
import { timelinePage, type Timeline } from '../payments/threeds/engine/pages/timeline-page.ts'
import { timelinesPage } from '../payments/threeds/engine/pages/timelines-page.ts'
import { withoutProof } from '../payments/threeds/engine/pages/without-proof.ts'
import { findTransaction, latestSessions } from '../payments/threeds/session-record.ts'
import { transcriptOf } from '../payments/threeds/transcript.ts'
import type { AcsRoute } from './acs-route.ts'
import type { HttpContext } from './serve-operation.ts'

/**
 * What went by in authentications, for whoever tries them out: `/acs/timeline/{externalSessionId}` for a reader,
 * `.../transcript.json` for a program. Whoever knows the id may look, which are the shop and its buyer; a list of all is on
 * a developer's own machine alone.
 */
export function routeTimelines(route: AcsRoute, parts: Parts): void {
  route('GET', '/acs/timeline/:id', async (c) => respond(timelinePage(await read(c, parts))))
  route('GET', '/acs/timeline/:id/transcript.json', async (c) => {
    const { session, transcript } = await read(c, parts)
    return c.body(withoutProof(JSON.stringify(transcript, null, 2)), 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="3ds-${session.externalSessionId}.json"`,
      'Cache-Control': 'no-store',
    })
  })
  if (parts.environment !== 'local') return
  route('GET', LIST, async () => respond(timelinesPage(await latestSessions(parts.db), parts.clock.now())))
}

const LIST = '/acs/timeline'

async function read(c: HttpContext, { db, clock, environment }: Parts): Promise<Timeline> {
  const id = c.req.param('id') ?? ''
  const session = isUuid(id) ? await findTransaction(id, db) : null
  if (session === null) throw new ApiError('resource_missing', UNKNOWN)
  const transcript = await transcriptOf(session.id, session.accountId, db)
  return { session, transcript, nowMs: clock.now(), listUrl: environment === 'local' ? LIST : null }
}

const UNKNOWN = 'There is no 3-D Secure session of this id: its address ends in the externalSessionId of the session.'

function respond({ html, status, headers }: AcsPage): Response {
  return new Response(html, { status, headers })
}
