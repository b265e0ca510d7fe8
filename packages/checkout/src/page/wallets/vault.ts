import type { FoundWallets, WalletCore, WalletName, WalletPayment } from './options.ts'

/** Request and response bodies, by the vault's path. */
interface Asked {
  wallets: { sent: null; answer: FoundWallets }
  'apple-pay-sessions': { sent: { session: string; validationUrl: string }; answer: { merchantSession: string } }
  'wallet-tokens': { sent: { session: string; wallet: WalletName; token: string }; answer: WalletPayment }
}

/**
 * Asks the vault from the shop's page.
 *
 * @throws CheckoutError `network_failed`, `tokenize_rejected`.
 */
export async function askVault<Path extends keyof Asked>(
  path: Path,
  sent: Asked[Path]['sent'],
  { settings, CheckoutError: Failure }: WalletCore,
): Promise<Asked[Path]['answer']> {
  const { vaultOrigin, publishableKey } = settings
  const url = `${vaultOrigin}/api/vault/v1/${path}`
  const headers = { Authorization: `Bearer ${publishableKey}`, 'Content-Type': 'application/json' }
  const { origin } = location
  const asking = sent
    ? fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...sent, origin }) })
    : fetch(`${url}?origin=${encodeURIComponent(origin)}`, { headers })
  const response = await asking.catch(() => null)
  const body = await response?.json().catch(() => null)
  if (response?.ok && body) return body
  const { message = 'The vault could not be reached; is it in connect-src of the page?', requestId } = body?.error ?? {}
  throw new Failure(body ? 'tokenize_rejected' : 'network_failed', message, { requestId })
}

/** Turns a wallet's own token into a service token, and has the shop pay with it. */
export async function payWith(
  { wallet, token }: { wallet: WalletName; token: string },
  { session, core, onPay }: { session: string; core: WalletCore; onPay: (paid: WalletPayment) => Promise<unknown> },
): Promise<void> {
  const { serviceToken, card } = await askVault('wallet-tokens', { session, wallet, token }, core)
  await onPay({ serviceToken, wallet, card })
}
