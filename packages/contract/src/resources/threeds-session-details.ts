import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { threedsAuthentication, transStatus } from './threeds-authentications.ts'
import { threedsOutcome } from './threeds-outcome.ts'
import { threedsSession } from './threeds-sessions.ts'
import { threedsTranscriptEntry } from './threeds-transcript.ts'

const { transStatusReason, eci, liabilityShifted, dsTransactionId, acsTransactionId } = threedsAuthentication.shape

/** A 3-D Secure session with all that a shop's server may want to know of its end. */
export const threedsSessionDetails = threedsSession
  .extend({
    outcome: threedsOutcome.meta({ description: 'How it ended, in a word.', examples: ['authenticated'] }),
    paymentId: idOf('payment', 'The payment that waits for the session; null without one.').nullable(),
    transStatus: transStatus
      .nullable()
      .meta({ description: 'The outcome as EMV 3DS names it; null while there is none.', examples: ['Y'] }),
    transStatusReason,
    eci,
    liabilityShifted,
    dsTransactionId,
    acsTransactionId,
    challengeCancel: z
      .string()
      .nullable()
      .meta({
        description: 'Why a challenge ended early, two digits of EMV 3DS (01: the cardholder gave up).',
        examples: [null, '01'],
      }),
    transcript: z.array(threedsTranscriptEntry).meta({
      description: 'Every message of the session in its order, where the built-in engine is the provider; else empty.',
    }),
    expiresAt: timestamp.meta({ description: 'Until when the session can be authenticated, in UTC.' }),
  })
  .meta({ id: 'ThreedsSessionDetails' })
export type ThreedsSessionDetails = z.infer<typeof threedsSessionDetails>
