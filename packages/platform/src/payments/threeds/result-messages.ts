import { z } from 'zod'
import { transStatus } from '@tillwright/contract'

/** The fields of a result that are read; others come by. Source: EMV 3DS 2.2.0, RReq. */
export const resultRequest = z
  .object({
    messageType: z.literal('RReq'),
    messageVersion: z.string().regex(/^2\.\d\.\d$/),
    threeDSServerTransID: z.uuid(),
    acsTransID: z.uuid(),
    dsTransID: z.uuid(),
    transStatus: transStatus.exclude(['C', 'I']),
    transStatusReason: z
      .string()
      .regex(/^\d{2}$/)
      .optional(),
    authenticationValue: z
      .string()
      .regex(/^[A-Za-z0-9+/]{26,28}={0,2}$/)
      .length(28)
      .optional(),
    challengeCancel: z
      .string()
      .regex(/^\d{2}$/)
      .optional(),
  })
  .refine((result) => !/[YA]/.test(result.transStatus) || result.authenticationValue !== undefined, {
    path: ['authenticationValue'],
    params: { missing: true },
  })
export type ResultRequest = z.output<typeof resultRequest>

/** The answer to a result. Source: EMV 3DS 2.2.0, RRes. */
export interface ResultResponse {
  messageType: 'RRes'
  messageVersion: string
  threeDSServerTransID: string
  acsTransID: string
  dsTransID: string
  /** 01: it was received; 02: we had given the challenge up by then. */
  resultsStatus: '01' | '02'
}

/** Says why a message was refused. Source: EMV 3DS 2.2.0, Erro. */
export interface ErrorMessage {
  messageType: 'Erro'
  messageVersion: string
  threeDSServerTransID?: string
  acsTransID?: string
  dsTransID?: string
  /** 201: an element is missing, 203: one has the wrong format, 301: nobody knows the transaction. */
  errorCode: '201' | '203' | '301'
  /** S: the 3DS server. */
  errorComponent: 'S'
  errorMessageType: 'RReq'
  errorDescription: string
  /** The elements that are meant, with commas between. */
  errorDetail: string
}

const descriptions = {
  '201': 'A required element is missing.',
  '203': 'An element does not have its format.',
  '301': 'The transaction is not known.',
}

/** What is wrong with a message, and in which elements. */
export interface Wrong {
  errorCode: ErrorMessage['errorCode']
  elements: readonly string[]
}

/** The answer to a message that is refused. */
export function errorMessage(sent: unknown, { errorCode, elements }: Wrong): ErrorMessage {
  const ids = idsOf.safeParse(sent).data
  return {
    messageType: 'Erro',
    messageVersion: ids?.messageVersion ?? '2.2.0',
    ...(ids?.threeDSServerTransID !== undefined && { threeDSServerTransID: ids.threeDSServerTransID }),
    ...(ids?.acsTransID !== undefined && { acsTransID: ids.acsTransID }),
    ...(ids?.dsTransID !== undefined && { dsTransID: ids.dsTransID }),
    errorCode,
    errorComponent: 'S',
    errorMessageType: 'RReq',
    errorDescription: descriptions[errorCode],
    errorDetail: elements.join(','),
  }
}

/** The ids of any message, as far as they are well formed. */
const idsOf = z.object({
  messageVersion: z
    .string()
    .regex(/^2\.\d\.\d$/)
    .optional()
    .catch(undefined),
  threeDSServerTransID: z.uuid().optional().catch(undefined),
  acsTransID: z.uuid().optional().catch(undefined),
  dsTransID: z.uuid().optional().catch(undefined),
})
