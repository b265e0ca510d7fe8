/** What a page asks of its session: method, and path below `/api/session/v1`. A test holds it against the contract. */
export const sessionOperations = {
  begin: ['POST', '/sessions'],
  get: ['GET', '/session'],
  setLines: ['PUT', '/session/order/lines'],
  addPromotionCode: ['POST', '/session/promotion-codes'],
  removePromotionCode: ['DELETE', '/session/promotion-codes'],
  setContact: ['PUT', '/session/contact'],
  setAddress: ['PUT', '/session/address'],
  pay: ['POST', '/session/pay'],
  continuePayment: ['POST', '/session/payments/{paymentId}/continue'],
  next: ['POST', '/session/next'],
  goTo: ['POST', '/session/go-to'],
  track: ['POST', '/session/events'],
} as const

/** The name of an operation. */
export type SessionOperation = keyof typeof sessionOperations

/** What an operation is sent with. */
export interface Sent {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: object
}

/** The method and address of a request. */
export function addressOf(
  operation: SessionOperation,
  { params = {}, query }: Sent,
  apiUrl: string,
): { method: string; url: string } {
  const [method, path] = sessionOperations[operation]
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = query ? `?${new URLSearchParams(query)}` : ''
  return { method, url: `${apiUrl}/api/session/v1${filled}${search}` }
}
