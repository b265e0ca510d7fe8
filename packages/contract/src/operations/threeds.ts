import { z } from 'zod'
import { reference, referenceTo } from '../ids.ts'
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
import { availableThreedsProvider, availableThreedsProviders } from '../resources/threeds-providers.ts'
import { newThreedsSession, threedsSession } from '../resources/threeds-sessions.ts'

/** Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate". */
export const threeds = {
  createSession: {
    method: 'POST',
    path: '/api/public/v1/threeds/create-session',
    audience: 'key',
    scope: 'threeds:write',
    summary: 'Create a 3-D Secure session',
    description:
      'For a payment instrument. The session can be authenticated once, within 30 minutes; a buyer whom the bank then asks has 30 minutes from there.',
    body: newThreedsSession,
    status: 201,
    response: threedsSession,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_threeds_session_created'],
    idempotent: 'transaction',
  },
  authenticate: {
    method: 'POST',
    path: '/api/public/v1/threeds/authenticate',
    audience: 'key',
    scope: 'threeds:write',
    summary: 'Authenticate a 3-D Secure session',
    description:
      'Asks the provider and returns the outcome as EMV 3DS defines it, with the electronic commerce indicator and the liability shift. If the provider does not answer (502, 504), the session can be authenticated again. Repeating the request with the same API key and body, and without the first one’s `Idempotency-Key`, asks nobody again: it returns the same challenge while that is open and, once it has ended, the outcome with its `authenticationValue`. The session of a payment is refused: its buyer authenticates in your page, for what the payment charges. In `local` and `development`, the last four digits of the card decide the outcome.',
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
    secretAnswer: true,
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/threeds-sessions/{sessionId}',
    audience: 'key',
    scope: 'threeds:read',
    summary: 'Read a 3-D Secure session',
    description:
      'Returns the directory server’s answer, the liability shift, the payment that waits for it and, in `local` and `development`, every EMV 3DS message that was exchanged.',
    params: z.object({ sessionId: referenceTo('threedsSession', 'The id of the session.') }),
    status: 200,
    response: threedsSessionDetails,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>

/**
 * For the 3-D Secure frame only, on the vault's origin. Each operation authenticates with an action token, which is
 * valid for one session.
 */
export const threedsFrame = {
  start: {
    method: 'POST',
    path: '/api/vault/v1/threeds/start',
    audience: 'frame',
    summary: 'Start an authentication',
    description:
      'Called by the 3-D Secure frame, never by a shop. Returns the issuer’s method page, if there is one; it gets ten seconds to run.',
    body: threedsAction,
    status: 200,
    response: threedsStart,
    errors: ['token_invalid', 'token_expired'],
  },
  authenticate: {
    method: 'POST',
    path: '/api/vault/v1/threeds/authenticate',
    audience: 'frame',
    summary: 'Authenticate with browser data',
    description:
      'Called by the 3-D Secure frame, never by a shop. While a challenge is open the same challenge is returned, so a page can be reloaded. Returns 409 while the provider takes longer than eight seconds; the result can be waited for meanwhile. If the provider does not answer, the session becomes `unavailable`.',
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
    summary: 'Wait for an authentication to end',
    description:
      'Called by the 3-D Secure frame, never by a shop. Returns as soon as the session has ended, or after 8 seconds. The outcome comes from the directory server, never from a page.',
    body: threedsAction,
    status: 200,
    response: threedsResult,
    errors: ['token_invalid', 'token_expired'],
  },
  cancel: {
    method: 'POST',
    path: '/api/vault/v1/threeds/cancel',
    audience: 'frame',
    summary: 'Cancel an authentication',
    description:
      'Called by the 3-D Secure frame, never by a shop, when the buyer cancels. A session that has already ended does not change; its outcome is returned.',
    body: threedsAction,
    status: 200,
    response: threedsResult,
    errors: ['token_invalid', 'token_expired'],
    emits: ['s_threeds_session_failed'],
    idempotent: 'repeatable',
  },
} as const satisfies Record<string, Operation>

/**
 * Not in the reference. Which 3-D Secure providers there are. They serve all accounts and are the operator's; an account
 * selects one by `PATCH /api/accounts/v1/account`.
 */
export const threedsProviders = {
  list: {
    method: 'GET',
    path: '/api/accounts/v1/threeds-providers',
    audience: 'key',
    scope: 'threeds:read',
    summary: 'List 3-D Secure providers',
    description: 'Returns each provider, whether it can be used here, and which one the account’s payments use.',
    status: 200,
    response: availableThreedsProviders,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/accounts/v1/threeds-providers/{provider}',
    audience: 'key',
    scope: 'threeds:read',
    summary: 'Read a 3-D Secure provider',
    params: z.object({
      provider: reference.meta({ description: 'The name of the provider.', examples: ['vendor_a'] }),
    }),
    status: 200,
    response: availableThreedsProvider,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
