import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { sessionData, threedsSession } from './threeds-sessions.ts'

import { threedsAuthentication, threedsOutcome, transStatus } from './threeds-authentications.ts'

const party = z.enum(['server', 'directory', 'issuer', 'browser'])

/** A message of an authentication, as recorded by the built-in simulator. */
const threedsTranscriptEntry = z
  .object({
    position: z.int().meta({ description: 'The number of the message in the session, from 1.', examples: [1] }),
    at: timestamp.meta({ description: 'When it was sent, in UTC.' }),
    from: party.meta({ description: 'The sender.', examples: ['server'] }),
    to: party.meta({ description: 'The recipient.', examples: ['directory'] }),
    type: z.string().meta({
      description: 'The message type as EMV 3DS defines it; `Method` for posts to a method page.',
      examples: ['AReq'],
    }),
    message: z.unknown().meta({
      description:
        'The message with its EMV 3DS field names, without the card number and the authentication value; text if it was not JSON.',
      examples: [{ messageType: 'AReq', messageVersion: '2.2.0', acctNumber: '400000******2503' }],
    }),
  })
  .meta({ id: 'ThreedsTranscriptEntry' })

const { authenticationValue, transStatusReason, eci, liabilityShifted, dsTransactionId, acsTransactionId } =
  threedsAuthentication.shape

/** A 3-D Secure session with the details of its outcome, for a shop's server. */
export const threedsSessionDetails = threedsSession
  .extend({
    outcome: threedsOutcome.meta({
      description: 'How the authentication ended, in one word.',
      examples: ['authenticated'],
    }),
    paymentId: idOf('payment', 'The payment that waits for the session, or null.').nullable(),
    transStatus: transStatus
      .nullable()
      .meta({ description: 'The outcome as EMV 3DS defines it; null if there is none yet.', examples: ['Y'] }),
    transStatusReason,
    eci,
    liabilityShifted,
    authenticationValue: authenticationValue.meta({
      description:
        'The authentication value for the authorization (CAVV, AAV), told once and only to the key that created the session: null for any other key, once it has been told here or by `threeds/authenticate`, and for the session of a payment.',
      examples: [null],
    }),
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
      description: 'Every message of the session in order, if the provider is the built-in simulator; otherwise empty.',
    }),
    expiresAt: timestamp.meta({
      description: 'When the session ends if nothing more happens, in UTC. It is later once the bank asks the buyer.',
    }),
    sessionData: sessionData.meta({
      description: 'The JSON value that the session was created with, as sent; null if there was none.',
      examples: [{ id: '5f0c6a6e-1f0b-4d3a-9a55-0b6a8e5b7f10', type: 'browser' }],
    }),
  })
  .meta({ id: 'ThreedsSessionDetails' })
export type ThreedsSessionDetails = z.infer<typeof threedsSessionDetails>
