import { z } from 'zod'
import { countryNumber } from '../countries.ts'
import { currencyNumber, currencyOfNumber } from '../currencies.ts'
import { idOf, referenceTo } from '../ids.ts'
import { webAddress } from '../text.ts'
import { authenticationType, challengePreference, recurringInfo, requireSeriesTerms } from './threeds-series.ts'
import { threedsStatus } from './threeds-sessions.ts'

/** The outcome of an authentication, as defined by EMV 3DS 2.2.0. */
export const transStatus = z.enum(['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'])
export type TransStatus = z.infer<typeof transStatus>

/** The response of `POST /threeds/authenticate`: every field is present, `null` if the outcome has none. */
export const threedsAuthentication = z
  .object({
    id: idOf('threedsSession', 'The same as `sessionId`: a session has one authentication.'),
    sessionId: idOf('threedsSession', 'The session that was authenticated.'),
    status: threedsStatus.meta({ description: 'The status of the session.', examples: ['successful'] }),
    transStatus: transStatus.meta({
      description:
        'Y authenticated, A attempted, N failed, U unavailable, R rejected, I informational only, C challenge required, D decoupled: the bank asks the buyer through another channel and reports its decision later.',
      examples: ['Y'],
    }),
    transStatusReason: z
      .string()
      .nullable()
      .meta({
        description:
          'The reason for any outcome other than Y, two digits as defined by EMV 3DS (01: card authentication failed).',
        examples: [null],
      }),
    eci: z
      .string()
      .nullable()
      .meta({ description: 'The electronic commerce indicator for the authorization, two digits.', examples: ['05'] }),
    authenticationValue: z
      .string()
      .nullable()
      .meta({
        description:
          'The authentication value for the authorization (CAVV, AAV): 20 bytes in base64; null before a challenge has succeeded.',
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
    threeDsVersion: z.string().meta({ description: 'The EMV 3DS version used.', examples: ['2.2.0'] }),
    liabilityShifted: z.boolean().meta({
      description: 'Whether liability for fraud has shifted to the issuer.',
      examples: [true],
    }),
    acsChallengeUrl: z
      .url()
      .nullable()
      .meta({
        description: 'Where the buyer’s browser posts `creq` for the challenge; set with transStatus C.',
        examples: ['https://acs.example/challenge'],
      }),
    creq: z
      .string()
      .nullable()
      .meta({
        description: 'The challenge request for `acsChallengeUrl`: a CReq as base64url JSON; set with transStatus C.',
        examples: [null],
      }),
  })
  .meta({ id: 'ThreedsAuthentication' })
export type ThreedsAuthentication = z.infer<typeof threedsAuthentication>

/**
 * How an authentication ended, in one word: `authenticated` and `attempted` count as proof for the acquirer, `pending`
 * has not ended yet.
 */
export const threedsOutcome = z.enum([
  'authenticated',
  'attempted',
  'failed',
  'rejected',
  'cancelled',
  'timed_out',
  'unavailable',
  'informational',
  'pending',
])
export type ThreedsOutcome = z.infer<typeof threedsOutcome>

/** An acquirer's identification number; a network-specific one takes precedence over the general one. */
const acquirerBin = z.string().regex(/^\d{1,11}$/, 'must be 1 to 11 digits')

const bin = (network: string) =>
  acquirerBin.optional().meta({
    description: `The acquirer's BIN for ${network} cards, 1 to 11 digits; \`acquirerBin\` by default.`,
    examples: ['445566'],
  })

const merchantCountryCode = z
  .string()
  .refine((code) => countryNumber(code) !== null, 'must be an ISO 3166-1 code: numeric ("840") or alpha-2 ("US")')
  .meta({
    pattern: '^([A-Z]{2}|[0-9]{3})$',
    description: 'The merchant’s country, ISO 3166-1 numeric or upper-case alpha-2.',
    examples: ['840'],
  })

/** The merchant as registered with the acquirer. `network1` to `network4` are Visa, Mastercard, Amex and Discover. */
const processorConfig = z
  .object({
    merchantId: z
      .string()
      .min(1)
      .max(35)
      .meta({
        description: 'The merchant’s id at the acquirer, 1 to 35 characters.',
        examples: ['123456789012345'],
      }),
    mcc: z
      .string()
      .regex(/^\d{4}$/, 'must be a merchant category code of four digits, such as "5411"')
      .meta({ description: 'The merchant category code (ISO 18245), four digits.', examples: ['5411'] }),
    merchantName: z
      .string()
      .min(1)
      .max(40)
      .meta({
        description: 'The merchant’s name as the buyer’s bank shows it, 1 to 40 characters.',
        examples: ['Canvas & Co'],
      }),
    merchantCountryCode,
    acquirerBinNetwork1: bin('Visa'),
    acquirerBinNetwork2: bin('Mastercard'),
    acquirerBinNetwork3: bin('American Express'),
    acquirerBinNetwork4: bin('Discover'),
    acquirerBin: acquirerBin.optional().meta({
      description:
        'The acquirer’s BIN, 1 to 11 digits. Required unless the field of the card’s network (`acquirerBinNetwork1` to `4`) is given.',
      examples: ['445566'],
    }),
    merchantUrl: webAddress.optional().meta({
      description: 'The address of the merchant’s website.',
      examples: ['https://shop.example'],
    }),
  })
  .meta({
    description: 'The merchant as registered with the acquirer.',
    examples: [
      {
        merchantId: '123456789012345',
        mcc: '5411',
        merchantName: 'Canvas & Co',
        merchantCountryCode: '840',
        acquirerBin: '445566',
      },
    ],
  })

/** The purchase. */
const purchaseInfo = z
  .object({
    amount: z
      .string()
      .refine((sent) => /^\d{1,12}$/.test(sent), {
        error: 'must be 1 to 12 digits: the amount in minor units ("1999" is 19.99 USD)',
        params: { code: 'amount_invalid' },
      })
      .meta({
        pattern: '^[0-9]{1,12}$',
        description: 'The amount in the currency’s minor units, 1 to 12 digits.',
        examples: ['1999'],
      }),
    currency: z
      .string()
      .refine((code) => (currencyNumber(code) ?? currencyOfNumber(code)) !== null, {
        error: 'must be an ISO 4217 code in use today: alphabetic ("USD") or numeric ("840")',
        params: { code: 'currency_unsupported' },
      })
      .meta({
        pattern: '^([A-Z]{3}|[0-9]{3})$',
        description: 'The currency, ISO 4217 upper-case alphabetic or numeric.',
        examples: ['USD'],
      }),
  })
  .meta({ description: 'The purchase.', examples: [{ amount: '1999', currency: 'USD' }] })

/** The cardholder. */
const cardholderInfo = z
  .object({
    name: z
      .string()
      .min(2)
      .max(45)
      .meta({
        description: 'The cardholder’s name, 2 to 45 characters.',
        examples: ['Ada Lovelace'],
      }),
    email: z
      .email()
      .max(254)
      .meta({
        description: 'The cardholder’s e-mail address.',
        examples: ['ada@example.com'],
      }),
  })
  .meta({ description: 'The cardholder.', examples: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] })

/** The body of `POST /threeds/authenticate`. Source: reference, "POST /threeds/authenticate". */
export const newThreedsAuthentication = z
  .object({
    sessionId: referenceTo('threedsSession', 'The session to authenticate; each can be authenticated once.'),
    processorConfig,
    purchaseInfo,
    cardholderInfo,
    challengePreference: challengePreference.default('no-preference'),
    authenticationType: authenticationType.default('payment-transaction'),
    recurringInfo: recurringInfo.optional(),
    returnUrl: webAddress.optional().meta({
      description:
        'Where the buyer’s browser returns to after a challenge, with the query parameter `sessionId` added: an `https:` address, in `local` also `http:` on a loopback host. The outcome is never in the address: read the session. Without it the bank’s page ends in an empty one.',
      examples: ['https://shop.example/checkout/authenticated'],
    }),
  })
  .superRefine(requireSeriesTerms)
export type NewThreedsAuthentication = z.output<typeof newThreedsAuthentication>
