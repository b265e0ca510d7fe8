import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { Call } from '../call.ts'
import { readFrameSession } from './frame-session.ts'

/**
 * Checks that a message was encrypted in a form of this vault that was loaded for the caller's key and for the page's
 * origin. It comes before all other checks, so that only whoever has loaded a form learns anything about a card.
 *
 * @param plaintext The decrypted JSON.
 * @returns The id of the form's session.
 * @throws {ApiError} `token_invalid`.
 */
export function checkSender(plaintext: unknown, { caller, parts }: Pick<Call, 'caller' | 'parts'>): string {
  const sender = sentBy.safeParse(plaintext)
  const session =
    sender.success && readFrameSession(sender.data.session, { keyId: caller.keyId, origin: sender.data.origin }, parts)
  if (typeof session === 'string') return session
  throw new ApiError(
    'token_invalid',
    'The card was not encrypted in a form that was loaded with this publishable key; load the page again.',
  )
}

const sentBy = z.object({ session: z.string(), origin: z.string() })
