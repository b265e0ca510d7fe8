import { openPage, type SessionStep } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { beginOrder } from './begin-order.ts'
import { App } from './components/app.tsx'
import { mount } from './mount.ts'
import { openRouter } from './router.ts'
import { following, isScreen, type ScreenId } from './rules/screens.ts'
import { locales } from './texts.ts'
import { followTheme } from './theme.ts'
import './styles.css'

const page = openPage({ locales, navigate: (url, step) => isPassed(step) || router.show(url, step.id) })
const router = openRouter(page)
followTheme(page)
void beginOrder(page)
void resume()

mount(
  <PageProvider page={page}>
    <App router={router} goOn={goOn} goTo={goTo} />
  </PageProvider>,
)

/**
 * Shows what follows: the funnel's next step, or this plugin's next screen where the session is in no funnel. A buyer who
 * came to this screen by its address has left the session at a later step: that one is what follows.
 */
async function goOn(): Promise<void> {
  const { step, thankYouUrl } = await page.session.ready()
  if (!step && thankYouUrl) await page.next()
  else if (!step) goTo(following(router.get(), hasCard()))
  else if (isScreen(step.pageId) && step.pageId !== router.get()) await page.goTo(step.id)
  else if (isPassed((await page.next()).step)) await page.next()
}

/** Whether a card has paid in this session: only a card can be charged again by one click. */
function hasCard(): boolean {
  return !!page.session.get().view?.paymentInstruments.length
}

/** An offer in one click is passed unseen by a buyer who has paid in another way. */
function isPassed(step: SessionStep | null): boolean {
  const isOwn = (step?.pluginId ?? page.data.pluginId) === page.data.pluginId
  return isOwn && step?.pageId === 'upsell' && !hasCard()
}

function goTo(screen: ScreenId): void {
  router.show(router.urlOf(screen), null)
}

/** A buyer who comes back from the bank, or reloads meanwhile, goes on with the payment that is under way. */
async function resume(): Promise<void> {
  const outcome = await page.pay.resume()
  if (outcome?.outcome === 'paid') await goOn()
}
