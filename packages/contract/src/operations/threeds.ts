import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { threedsSessionDetails } from '../resources/threeds-session-details.ts'
import { newThreedsAuthentication, threedsAuthentication } from '../resources/threeds-authentications.ts'
import {
  browserAuthentication,
  threedsAction,
  threedsResult,
  threedsStart,
  threedsStep,
} from '../resources/threeds-frames.ts'
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

/** For the 3-D Secure frame alone, on the vault's origin. Each takes an action token, which opens one session. */
export const threedsFrame = {
  start: {
    method: 'POST',
    path: '/api/vault/v1/threeds/start',
    audience: 'frame',
    summary: 'Begin the authentication of a payment in the browser',
    description:
      'The 3-D Secure frame calls this; a shop never does. Answers the issuer’s method page, if it has one. It is given ten seconds.',
    body: threedsAction,
    status: 200,
    response: threedsStart,
    errors: ['token_invalid', 'token_expired'],
  },
  authenticate: {
    method: 'POST',
    path: '/api/vault/v1/threeds/authenticate',
    audience: 'frame',
    summary: 'Authenticate the cardholder with what the browser says of itself',
    description:
      'The 3-D Secure frame calls this; a shop never does. While a challenge is open the same challenge is answered again, so that a page can be loaded anew. A provider that gives no answer makes the session `unavailable`.',
    body: browserAuthentication,
    status: 200,
    response: threedsStep,
    errors: ['token_invalid', 'token_expired', 'state_conflict'],
    emits: ['s_threeds_session_challenge_required', 's_threeds_session_succeeded', 's_threeds_session_failed'],
    idempotent: 'repeatable',
  },
  result: {
    method: 'POST',
    path: '/api/vault/v1/threeds/result',
    audience: 'frame',
    summary: 'Wait for the end of an authentication',
    description:
      'The 3-D Secure frame calls this; a shop never does. Answers as soon as the session has ended, and after 20 seconds in any case. What the directory server has said counts, never what a page says.',
    body: threedsAction,
    status: 200,
    response: threedsResult,
    errors: ['token_invalid', 'token_expired'],
  },
  cancel: {
    method: 'POST',
    path: '/api/vault/v1/threeds/cancel',
    audience: 'frame',
    summary: 'Give up an authentication, as the buyer wants it',
    description:
      'The 3-D Secure frame calls this; a shop never does. A session that has ended stays as it is, and its end is answered.',
    body: threedsAction,
    status: 200,
    response: threedsResult,
    errors: ['token_invalid', 'token_expired'],
    emits: ['s_threeds_session_failed'],
    idempotent: 'repeatable',
  },
} as const satisfies Record<string, Operation>
