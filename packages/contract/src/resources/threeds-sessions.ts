import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { THREEDS_SESSION_DATA_MAX_CHARS } from '../limits.ts'
import { timestamp } from '../text.ts'

/** The provider that talks to the directory servers for a session. */
export const threedsProvider = z.enum(['vendor_a', 'vendor_b'])
export type ThreedsProviderName = z.infer<typeof threedsProvider>

/**
 * The status of a session. Terminal: successful, attempted, failed, unavailable, rejected, informational, cancelled,
 * expired. Source: decisions, "3-D Secure"; the outcomes are the transStatus values of EMV 3DS 2.2.0.
 */
export const threedsStatus = z.enum([
  'created',
  'method_pending',
  'authenticating',
  'challenge_required',
  'successful',
  'attempted',
  'failed',
  'unavailable',
  'rejected',
  'informational',
  'cancelled',
  'expired',
])
export type ThreedsStatus = z.infer<typeof threedsStatus>

/** Any JSON value of the caller's. */
export const sessionData = z
  .unknown()
  .refine(
    (value) => (JSON.stringify(value) ?? '').length <= THREEDS_SESSION_DATA_MAX_CHARS,
    `must be at most ${THREEDS_SESSION_DATA_MAX_CHARS} characters of JSON`,
  )
  .meta({
    description: `Any JSON value of at most ${THREEDS_SESSION_DATA_MAX_CHARS} characters, which is returned as sent when the session is read. Its \`recommended_version\` is the EMV 3DS version of the authentication if the issuer speaks it as well; otherwise the newest is used that both speak.`,
    examples: [
      {
        id: '5f0c6a6e-1f0b-4d3a-9a55-0b6a8e5b7f10',
        type: 'browser',
        cardBrand: 'visa',
        directory_server_id: 'A000000003',
        recommended_version: '2.2.0',
      },
    ],
  })

const paymentInstrumentId = { description: 'The card to authenticate.', examples: [exampleId('paymentInstrument')] }

/** The body of `POST /threeds/create-session`. Source: reference, "POST /threeds/create-session". */
export const newThreedsSession = z.object({
  paymentInstrumentId: reference.meta(paymentInstrumentId),
  storeId: referenceTo('store', 'The store that the payment instrument belongs to.'),
  provider: threedsProvider.default('vendor_a').meta({
    description: 'The provider that authenticates; it also determines the prefix of the session’s id.',
    examples: ['vendor_a'],
  }),
  sessionData: sessionData.optional(),
})
export type NewThreedsSession = z.output<typeof newThreedsSession>

/** A 3-D Secure session. Source: reference, "3-D Secure session". */
export const threedsSession = z
  .object({
    id: idOf('threedsSession', 'The session’s id: prefixed threeds_ for vendor_a, 3ds_ for vendor_b.'),
    externalSessionId: z.uuid().meta({
      description: 'The 3DS server transaction id (threeDSServerTransID), a UUID.',
      examples: ['8a880dc0-d2d2-4067-bcb1-b08d1690b26e'],
    }),
    provider: threedsProvider.meta({ description: 'Who authenticates.', examples: ['vendor_a'] }),
    status: threedsStatus.meta({
      description:
        'The status of the session, which has 30 minutes to be authenticated, and as many for a buyer whom the bank asks.',
      examples: ['created'],
    }),
    paymentInstrumentId: z.string().meta(paymentInstrumentId),
    createdAt: timestamp.meta({
      description: 'When the session was created, in UTC.',
      examples: ['2030-01-01T12:00:00.000Z'],
    }),
  })
  .meta({ id: 'ThreedsSession' })
export type ThreedsSession = z.infer<typeof threedsSession>
