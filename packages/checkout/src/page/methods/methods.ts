import type { PaymentMethodType } from '@tillwright/contract'
import type { PartCore } from '../part-core.ts'
import { chooser } from './chooser.ts'
import type { MethodsOptions, MethodsSum, PaymentMethods } from './options.ts'
import { loadTexts } from './texts.ts'

/** `Checkout.methods`, loaded when it is needed: the one export of this module. */
export async function methods(
  target: string | Element,
  options: MethodsOptions,
  core: PartCore,
): Promise<PaymentMethods> {
  const { CheckoutError: Failure } = core
  const { storeId, apiUrl } = options
  const home = typeof target === 'string' ? document.querySelector(target) : target
  if (!home) throw new Failure('element_not_found', 'methods() needs an element or its selector.')
  // The API checks them, and says what is wrong with which.
  const ask = ({ amount, currency, country }: MethodsSum): Promise<readonly PaymentMethodType[]> =>
    askApi({ apiUrl, body: { storeId, currency, amount, country } }, core)
  const { locale } = { ...core.settings.options, ...options.card }
  const [listed, texts] = await Promise.all([ask(options), loadTexts(locale, core.settings)])
  const choosing = chooser(texts, options, core)
  home.append(choosing.root)
  choosing.show(listed)
  let asked = 0
  return {
    get shown() {
      return choosing.shown()
    },
    choice: choosing.choice,
    async update(sum) {
      const question = (asked += 1)
      const found = await ask(sum)
      if (question === asked) choosing.show(found)
    },
    destroy() {
      asked += 1
      choosing.destroy()
    },
  }
}

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
async function askApi({ apiUrl, body }: Question, core: PartCore): Promise<PaymentMethodType[]> {
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
