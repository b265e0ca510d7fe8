import { contract } from '@tillwright/contract'
import { serviceToken } from '../../platform/test/pay-with-card.ts'
import { SHOP_URL, type TestPlatform } from '../../platform/test/test-platform.ts'
import type { Checkout } from '../src/checkout.ts'
import { openTestPage, testData, type TestPage, type TestPageOptions } from '../src/test-page/index.ts'

/** A page of the local store, by default in its demo funnel. */
export function localPage(
  { apiUrl, vaultUrl, local }: TestPlatform,
  { data, ...options }: Omit<TestPageOptions, 'data'> & { data?: Parameters<typeof testData>[0] } = {},
): TestPage {
  const { publishableKey, storeId, funnelId, stepId } = local
  const funnel = { id: funnelId, stepId }
  return openTestPage({
    address: `${SHOP_URL}/checkout`,
    ...options,
    data: testData({ apiUrl, vaultUrl, publishableKey, storeId, funnel, ...data }),
  })
}

/** The first variant of the local store. */
export async function firstVariant({ call, local }: TestPlatform): Promise<string> {
  const { variants } = await call(contract.products.get, { params: { productId: local.productId } })
  return variants[0]?.id ?? ''
}

/** A checkout whose form contains a card with this number, and which authenticates with `authenticate`. */
export function checkoutWith(
  platform: TestPlatform,
  number?: string,
  authenticate: Checkout['authenticate'] = async () => ({ outcome: 'authenticated' }),
): Checkout {
  const nothing = (): void => {}
  return {
    authenticate,
    wallets: async () => ({ shown: [], update: nothing, remove: nothing }),
    card: () => ({
      mount: nothing,
      tokenize: async () => ({ serviceToken: await serviceToken(platform, number) }),
      on: () => nothing,
      focus: nothing,
      clear: nothing,
      retry: nothing,
      update: nothing,
      destroy: nothing,
    }),
  }
}
