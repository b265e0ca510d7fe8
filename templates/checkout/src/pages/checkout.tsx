import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { beginOrder } from '../begin-order.ts'
import { Checkout } from '../components/checkout.tsx'
import { goOn } from '../go-on.ts'
import { mount } from '../mount.ts'
import { locales } from '../texts.ts'
import { followTheme } from '../theme.ts'
import '../styles.css'

const page = openPage({ locales })
followTheme(page)
void beginOrder(page)
void resume()

mount(
  <PageProvider page={page}>
    <Checkout />
  </PageProvider>,
)

/** A buyer who comes back from the bank, or reloads meanwhile, goes on with the payment that is under way. */
async function resume(): Promise<void> {
  const outcome = await page.pay.resume()
  if (outcome?.outcome === 'paid') await goOn(page)
}
