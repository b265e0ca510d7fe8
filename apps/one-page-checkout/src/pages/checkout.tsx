import { loadRegions } from '../address/load-regions.ts'
import { CheckoutPage } from '../checkout/checkout-page.tsx'
import { startPage } from '../start-page.tsx'

void startPage(async ({ address }) => (
  <CheckoutPage regions={address === 'full' ? await loadRegions().catch(() => null) : null} />
))
