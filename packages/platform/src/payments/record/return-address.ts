import { timingSafeEqual } from 'node:crypto'
import type { Payment } from '@tillwright/contract'
import type { Charging } from '../../routing/index.ts'
import type { SecretBox } from '../../runtime/index.ts'

/** Where buyers come back to from a method's page, below the API's origin. */
export const RETURN_PATH = '/v1/payments/return'

/** The payment that a buyer comes back from. */
export interface Returning {
  accountId: string
  paymentId: string
}

/**
 * The address that a payment's processor sends its buyer back to. It is signed, so that no one else can name a payment;
 * where the buyer goes on from there stands in the payment alone.
 */
export function returnAddress(
  { accountId, id: paymentId }: Pick<Payment, 'accountId' | 'id'>,
  { apiUrl, services }: Pick<Charging, 'apiUrl' | 'services'>,
): string {
  if (apiUrl === undefined) throw new Error('This process does not know the origin of the API.')
  const payload = Buffer.from(JSON.stringify([accountId, paymentId])).toString('base64url')
  const signature = services.secrets.sign(PURPOSE, payload).toString('base64url')
  return `${apiUrl}${RETURN_PATH}/${payload}.${signature}`
}

/** The payment of a token that was signed here; `null` for anything else. */
export function readReturn(token: string, secrets: SecretBox): Returning | null {
  const [, payload = '', sent = ''] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const given = Buffer.from(sent, 'base64url')
  const isSigned = secrets
    .signatures(PURPOSE, payload)
    .some((each) => each.length === given.length && timingSafeEqual(each, given))
  if (!isSigned) return null
  const [accountId, paymentId] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { accountId, paymentId }
}

const PURPOSE = 'payment return'
