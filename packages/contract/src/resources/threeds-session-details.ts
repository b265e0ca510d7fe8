import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { threedsSession } from './threeds-sessions.ts'

import { threedsAuthentication, threedsOutcome, transStatus } from './threeds-authentications.ts'

const party = z.enum(['server', 'directory', 'issuer', 'browser'])

/** One message of an authentication on its way, as the built-in engine saw it. */
const threedsTranscriptEntry = z
  .object({
    position: z.int().meta({ description: 'Counts the messages of the session from 1.', examples: [1] }),
    at: timestamp.meta({ description: 'When it was sent, in UTC.' }),
    from: party.meta({ description: 'Who sent it.', examples: ['server'] }),
    to: party.meta({ description: 'Who received it.', examples: ['directory'] }),
    type: z.string().meta({
      description: 'The message’s type as EMV 3DS names it; Method for what is posted to a method page.',
      examples: ['AReq'],
    }),
    message: z.unknown().meta({
      description: 'The message with the names of EMV 3DS, without the card number; text for what was no JSON.',
      examples: [{ messageType: 'AReq', messageVersion: '2.2.0', acctNumber: '400000******2503' }],
    }),
  })
  .meta({ id: 'ThreedsTranscriptEntry' })

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
