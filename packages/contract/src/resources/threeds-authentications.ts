import { z } from 'zod'
import { idOf } from '../ids.ts'
import { threedsStatus } from './threeds-sessions.ts'

/** The outcome of an authentication, as EMV 3DS 2.2.0 names it. */
export const transStatus = z.enum(['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'])
export type TransStatus = z.infer<typeof transStatus>

/** The answer of `POST /threeds/authenticate`: every field is there, `null` where the outcome has none. */
export const threedsAuthentication = z
  .object({
    id: idOf('threedsSession', 'The same as `sessionId`: a session has one authentication.'),
    sessionId: idOf('threedsSession', 'The session that was authenticated.'),
    status: threedsStatus.meta({ description: 'Where the session stands now.', examples: ['successful'] }),
    transStatus: transStatus.meta({
      description:
        'Y authenticated, A attempted, N failed, U unavailable, R rejected, I informational only, C challenge required, D decoupled: the bank asks the buyer elsewhere, and tells its decision later.',
      examples: ['Y'],
    }),
    transStatusReason: z
      .string()
      .nullable()
      .meta({
        description: 'Why it was not Y, two digits of EMV 3DS (01: card authentication failed).',
        examples: [null],
      }),
    eci: z
      .string()
      .nullable()
      .meta({ description: 'The electronic commerce indicator for the authorisation, two digits.', examples: ['05'] }),
    authenticationValue: z
      .string()
      .nullable()
      .meta({
        description: 'The cryptogram for the authorisation (CAVV, AAV): 20 bytes in base64.',
        examples: ['MTIzNDU2Nzg5MDEyMzQ1Njc4OTA='],
      }),
    dsTransactionId: z
      .uuid()
      .nullable()
      .meta({
        description: 'The directory server’s transaction id, a UUID.',
        examples: ['f25084f0-5b16-4c0a-ae5d-b24808a95e4b'],
      }),
    acsTransactionId: z
      .uuid()
      .nullable()
      .meta({
        description: 'The transaction id of the issuer’s access control server, a UUID.',
        examples: ['d7c1ee99-9478-44a6-b1f2-391e29c6b340'],
      }),
    threeDsVersion: z.string().meta({ description: 'The version of EMV 3DS that was spoken.', examples: ['2.2.0'] }),
    liabilityShifted: z.boolean().meta({
      description: 'Whether the issuer bears the loss of a fraudulent payment with this card.',
      examples: [true],
    }),
    acsChallengeUrl: z
      .url()
      .nullable()
      .meta({
        description: 'Where the buyer’s browser posts `creq` to be challenged; given with transStatus C.',
        examples: ['https://acs.example/challenge'],
      }),
    creq: z
      .string()
      .nullable()
      .meta({
        description: 'The challenge request for `acsChallengeUrl`: a CReq as base64url JSON; given with transStatus C.',
        examples: [null],
      }),
  })
  .meta({ id: 'ThreedsAuthentication' })
export type ThreedsAuthentication = z.infer<typeof threedsAuthentication>
