import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type PaymentInstrument, type WalletName } from '@tillwright/contract'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'

/** A payment approved in a simulated wallet. By default with a card that succeeds, for 19.99 USD in Apple Pay. */
interface Approved {
  wallet?: WalletName
  card?: 'visa' | 'mastercard' | 'declined' | 'number'
  decimal?: string
}

/** Body that the shop's page posts for a wallet's token. */
export async function walletTokenBody(
  { call, clock }: TestPlatform,
  { wallet = 'apple_pay', card = 'visa', decimal = '19.99' }: Approved = {},
) {
  const origin = SHOP_URL
  const { session } = await call(contract.vault.readWallets, { query: { origin } })
  const approved = JSON.stringify({ wallet, card, decimal, currency: 'USD' })
  const token = (await bankSimulator.wallets.makeToken(approved, clock.now())) ?? ''
  return { session, origin, wallet, token }
}

/** A payment instrument of a new customer with a card out of a simulated wallet. */
export async function walletInstrument(platform: TestPlatform, approved: Approved = {}): Promise<PaymentInstrument> {
  const { serviceToken } = await platform.call(contract.vault.createWalletToken, {
    body: await walletTokenBody(platform, approved),
  })
  const body = { serviceToken, storeId: platform.local.storeId }
  const { paymentInstrument } = await platform.call(contract.paymentInstruments.createFromToken, { body })
  return paymentInstrument
}
