import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { newThreedsAuthentication } from '../resources/new-threeds-authentication.ts'
import { threedsAuthentication } from '../resources/threeds-authentications.ts'
import { threedsSessionDetails } from '../resources/threeds-session-details.ts'
import { newThreedsSession, threedsSession } from '../resources/threeds-sessions.ts'

/** Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate". */
export const threeds = {
  createSession: {
    method: 'POST',
    path: '/api/public/v1/threeds/create-session',
    audience: 'key',
    scope: 'threeds:write',
    summary: 'Open a 3-D Secure session for a payment instrument',
    description: 'The session lives 30 minutes and is authenticated once.',
    body: newThreedsSession,
    status: 201,
    response: threedsSession,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_threeds_session_created'],
    idempotent: 'unit',
  },
  authenticate: {
    method: 'POST',
    path: '/api/public/v1/threeds/authenticate',
    audience: 'key',
    scope: 'threeds:write',
    summary: 'Authenticate the cardholder of a 3-D Secure session',
    description:
      'Asks the provider, and answers the outcome as EMV 3DS names it, with the electronic commerce indicator and who is liable. Without an answer (502, 504) the session may be authenticated again. In `local` and `development` the last four digits of the card decide.',
    body: newThreedsAuthentication,
    status: 200,
    response: threedsAuthentication,
    errors: [
      'amount_invalid',
      'currency_unsupported',
      'resource_missing',
      'state_conflict',
      'upstream_failed',
      'upstream_timeout',
    ],
    emits: ['s_threeds_session_challenge_required', 's_threeds_session_succeeded', 's_threeds_session_failed'],
    idempotent: 'repeatable',
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/threeds-sessions/{sessionId}',
    audience: 'key',
    scope: 'threeds:read',
    summary: 'Read a 3-D Secure session with its outcome',
    description:
      'What the directory server has said, who is liable, the payment that waits for it, and in `local` and `development` every message of EMV 3DS that went by.',
    params: z.object({ sessionId: referenceTo('threedsSession', 'The id of the session.') }),
    status: 200,
    response: threedsSessionDetails,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
