import type { PaymentMethodType } from '@tillwright/contract'
import type { PartCore } from '../part-core.ts'
import type { MethodsSum } from './options.ts'

/** A request for an order's methods. `apiUrl` is set where the page names the API itself. */
interface Question {
  apiUrl: string | undefined
  body: MethodsSum & { storeId: string }
}

/**
 * Asks the API what can be paid with. Where it answers, the vault says in a file that everybody may read; a publishable key
 * is all that is sent, and the API takes it from its own origins alone.
 *
 * @throws CheckoutError `network_failed`, `methods_refused`.
 */
export async function askApi({ apiUrl, body }: Question, core: PartCore): Promise<PaymentMethodType[]> {
  const { vaultOrigin, publishableKey } = core.settings
  const api = apiUrl ?? (await read(fetch(`${vaultOrigin}/v1/tillwright.json`), core)).api
  const asking = fetch(`${api}/api/session/v1/payment-methods`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${publishableKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = await read(asking, core)
  return data.map(({ type }: { type: PaymentMethodType }) => type)
}

async function read(asking: Promise<Response>, { CheckoutError: Failure }: PartCore) {
  const response = await asking.catch(() => null)
  const answer = await response?.json().catch(() => null)
  if (response?.ok && answer) return answer
  const { message = 'No answer: are the vault and the API in connect-src of the page?', requestId } =
    answer?.error ?? {}
  throw new Failure(answer ? 'methods_refused' : 'network_failed', message, { requestId })
}
