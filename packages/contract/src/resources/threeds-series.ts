import { z } from 'zod'

/** The merchant's challenge preference: five by name, all by their EMV 3DS code. */
export const challengePreference = z
  .enum([
    'no-preference',
    'no-challenge',
    'challenge-requested',
    'challenge-mandated',
    'cartes-bancaires',
    '01',
    '02',
    '03',
    '04',
    '05',
    '06',
    '07',
    '08',
    '09',
    '90',
  ])
  .meta({
    description: 'The challenge preference, by name or by code (threeDSRequestorChallengeInd).',
    examples: ['no-preference'],
  })
export type ChallengePreference = z.infer<typeof challengePreference>

export const authenticationType = z
  .enum(['payment-transaction', 'recurring-transaction', 'installment-transaction'])
  .meta({
    description: 'Agreement of the cardholder: one payment, or a series of charges or of installments.',
    examples: ['payment-transaction'],
  })
export type AuthenticationType = z.infer<typeof authenticationType>

const isInstallmentCount = (sent: string) => /^\d{1,3}$/.test(sent) && Number(sent) >= 2

/** The terms of a series of charges. Whether `expiration` has passed is checked where the time is known. */
export const recurringInfo = z
  .object({
    expiration: z
      .string()
      .refine(isDate, 'must be a date that exists, as "YYYY-MM-DD" or "YYYYMMDD"')
      .meta({
        pattern: '^([0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})$',
        description: 'The date after which nothing is charged, YYYY-MM-DD or YYYYMMDD; today or later.',
        examples: ['2099-12-31'],
      }),
    frequency: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number of days from "1" to "9999"')
      .meta({ description: 'The minimum number of days between two charges, 1 to 9999.', examples: ['30'] }),
    installments: z
      .string()
      .refine(isInstallmentCount, 'must be a number of installments from "2" to "999"')
      .optional()
      .meta({
        pattern: '^[0-9]{1,3}$',
        description:
          'The number of installments that the cardholder has agreed to, 2 to 999 (EMV 3DS `purchaseInstalData`). Required for an `installment-transaction`; ignored for any other.',
        examples: ['12'],
      }),
  })
  .meta({
    description: 'The terms of the series; required for recurring and installment transactions.',
    examples: [
      { expiration: '2099-12-31', frequency: '30' },
      { expiration: '2099-12-31', frequency: '30', installments: '12' },
    ],
  })

export type RecurringInfo = z.infer<typeof recurringInfo>

/** The fields that say which kind of series, if any, a cardholder is asked to agree to. */
interface SeriesFields {
  authenticationType: AuthenticationType
  recurringInfo?: { installments?: string | undefined } | undefined
}

/** A series needs its terms, and installments their number. */
export function requireSeriesTerms(fields: SeriesFields, context: z.RefinementCtx): void {
  const { authenticationType: type, recurringInfo: terms } = fields
  if (type === 'payment-transaction') return
  const refuse = (message: string, ...field: string[]) =>
    context.addIssue({ code: 'custom', path: ['recurringInfo', ...field], message })
  if (terms === undefined) return refuse(`is required for the authenticationType ${type}`)
  if (type !== 'installment-transaction' || terms.installments !== undefined) return
  const message =
    'is required for the authenticationType installment-transaction: send the number of installments, "2" to "999"'
  refuse(message, 'installments')
}

function isDate(sent: string): boolean {
  const dashed = /^\d{8}$/.test(sent) ? `${sent.slice(0, 4)}-${sent.slice(4, 6)}-${sent.slice(6)}` : sent
  return z.iso.date().safeParse(dashed).success
}
