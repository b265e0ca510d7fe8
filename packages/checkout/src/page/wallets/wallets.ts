import { applePayButton } from './apple-pay.ts'
import { googlePayButton } from './google-pay.ts'
import type { WalletButton, WalletCore, Wallets, WalletsOptions } from './options.ts'
import { loadScript } from './page.ts'
import { askVault } from './vault.ts'

/** `Checkout.wallets`, loaded when it is needed: the one export of this module. */
export async function wallets(target: string | Element, given: WalletsOptions, core: WalletCore): Promise<Wallets> {
  const { CheckoutError: Failure } = core
  const { locale = core.settings.options.locale, onError = () => {}, onStart = () => true } = given
  const options = { ...given, locale, onError, onStart }
  const wrong = complaint(options)
  if (wrong) throw new Failure('argument_invalid', wrong)
  const home = typeof target === 'string' ? document.querySelector(target) : target
  if (!home) throw new Failure('element_not_found', 'wallets() needs an element or its selector.')
  const found = await askVault('wallets', null, core)
  if (found.simulator) {
    await loadScript(found.simulator).catch(() => {
      throw new Failure('network_failed', `${found.simulator} did not load: see the network, and the page's policy.`)
    })
  }
  const place = { options, core, found }
  const apple = applePayButton(place)
  // Where the device pays with Apple Pay, Google's script is not loaded for a second button.
  const google = apple && !found.simulator ? null : await googlePayButton(place)
  const buttons = [apple, google].filter((button): button is WalletButton => !!button)
  const group = document.createElement('div')
  group.style.cssText = 'display:grid;gap:8px;grid-template-columns:repeat(auto-fit,minmax(150px,1fr))'
  group.append(...buttons.map(({ element }) => element))
  if (buttons[0]) home.append(group)
  return {
    shown: buttons.map(({ wallet }) => wallet),
    update: ({ amount, currency }) => void Object.assign(options, { amount, currency }),
    remove: () => group.remove(),
  }
}

/** The fault of the options, or nothing: scripts without types may pass anything. */
function complaint({
  amount,
  currency,
  country,
  onPay,
}: { [Name in keyof WalletsOptions]: unknown }): string | undefined {
  if (!Number.isSafeInteger(amount)) return 'amount must be a whole number in the minor unit: 1999 is 19.99 USD.'
  if (!/^[A-Z]{3}$/.test(String(currency)) || !/^[A-Z]{2}$/.test(String(country)))
    return 'currency and country must be like USD and US.'
  return typeof onPay === 'function' ? undefined : 'onPay must be a function.'
}
