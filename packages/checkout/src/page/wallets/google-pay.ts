import { inMajorUnits } from '@tillwright/contract/decimals'
import type { ButtonPlace, WalletButton } from './options.ts'
import { loadScript } from './page.ts'
import { payWith } from './vault.ts'

/** The part of Google's client that is used. Source: Google Pay API for web, "Client reference". */
interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ result: boolean }>
  loadPaymentData(request: object): Promise<{ paymentMethodData: { tokenizationData: { token: string } } }>
  createButton(options: object): HTMLElement
}

declare global {
  interface Window {
    google?: { payments?: { api?: { PaymentsClient: new (options: object) => PaymentsClient } } }
  }
}

const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'
const api = { apiVersion: 2, apiVersionMinor: 0 }
const parameters = {
  allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB'],
}

/** Google's button, or `null` where the device or the account has no Google Pay. */
export async function googlePayButton({ options, core, found }: ButtonPlace): Promise<WalletButton | null> {
  if (!found.googlePay) return null
  const { environment, merchantId, merchantName, publicKey } = found.googlePay
  // A page without Google's script still has its card form.
  if (!found.simulator) await loadScript(SCRIPT).catch(() => {})
  const Client = window.google?.payments?.api?.PaymentsClient
  if (!Client) return null
  const client = new Client({ environment })
  const isReady = client.isReadyToPay({ ...api, allowedPaymentMethods: [{ type: 'CARD', parameters }] })
  if (!(await isReady.catch(() => null))?.result) return null
  const method = {
    type: 'CARD',
    parameters,
    tokenizationSpecification: { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey } },
  }
  const pay = async (): Promise<void> => {
    if (!options.onStart()) return
    const { currency: currencyCode, country: countryCode } = options
    const request = {
      ...api,
      allowedPaymentMethods: [method],
      merchantInfo: { merchantId, merchantName },
      transactionInfo: {
        totalPriceStatus: 'FINAL',
        totalPrice: inMajorUnits(options.amount, options.currency),
        totalPriceLabel: options.label,
        currencyCode,
        countryCode,
      },
    }
    // Rejected, too, when the buyer closes the sheet.
    const data = await client.loadPaymentData(request).catch(() => null)
    if (!data) return
    const { token } = data.paymentMethodData.tokenizationData
    await payWith({ wallet: 'google_pay', token }, { session: found.session, core, onPay: options.onPay })
  }
  const element = client.createButton({
    onClick: () =>
      pay().catch((error: unknown) => {
        if (error instanceof core.CheckoutError) options.onError(error)
      }),
    allowedPaymentMethods: [method],
    buttonColor: options.theme === 'white' ? 'white' : 'black',
    buttonType: 'plain',
    buttonSizeMode: 'fill',
    buttonLocale: options.locale.slice(0, 2),
  })
  element.style.height = '48px'
  return { wallet: 'google_pay', element }
}
