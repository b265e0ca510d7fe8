import type { PaymentMethodType } from '@tillwright/contract'
import type { PartCore } from '../part-core.ts'
import { askApi } from './ask-api.ts'
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
