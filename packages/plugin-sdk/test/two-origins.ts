import { contract } from '@tillwright/contract'
import { newFunnel } from '../../platform/test/new-funnel.ts'
import { sendRequest } from '../../platform/test/send-request.ts'
import type { TestPlatform } from '../../platform/test/test-platform.ts'
import { buildAndDeploy, type DeployedPlugin } from './deployed-plugin.ts'
import { firstVariant } from './local-page.ts'

/** A funnel whose steps are pages of two plugins in turn: each step stands on another origin than the one before. */
export interface TwoOrigins {
  /** Has `/offer` and `/upsell`. */
  one: DeployedPlugin
  /** Has `/checkout` and `/thanks`. */
  other: DeployedPlugin
  funnelId: string
}

/** Deploys both plugins to the local store, with an upsell that offers one unit. */
export async function twoOrigins(platform: TestPlatform): Promise<TwoOrigins> {
  const variantId = await firstVariant(platform)
  const pagesOf = (ids: string[]) => ids.map((id) => ({ id, path: `/${id}` }))
  const filesOf = (ids: string[]) => Object.fromEntries(ids.map((id) => [`src/pages/${id}.ts`, pageOf(variantId)]))
  const deploy = (ids: string[]) => buildAndDeploy(platform, { pages: pagesOf(ids), files: filesOf(ids) })
  const one = await deploy(['offer', 'upsell'])
  const other = await deploy(['checkout', 'thanks'])
  const step = (type: string, pageId: string, { pluginId }: DeployedPlugin) => {
    return { type, name: pageId, path: `/${pageId}`, pageId, pluginId }
  }
  const { id: funnelId } = await newFunnel(platform, {
    steps: [
      step('landing', 'offer', one),
      step('checkout', 'checkout', other),
      { ...step('upsell', 'upsell', one), offer: [{ variantId, quantity: 1 }] },
      step('thank_you', 'thanks', other),
    ],
  })
  return { one, other, funnelId }
}

/** The payments that buyers' pages have brought to an end with money, by their session. */
export async function paymentsOf({ services }: TestPlatform, sessionId: string): Promise<readonly unknown[]> {
  return services.db.read(
    "SELECT amount FROM payments WHERE funnel_session_id = ? AND status = 'succeeded' ORDER BY amount DESC",
    [sessionId],
  )
}

/** The session that a publishable key opens to anybody who says that they are a page of its origin. */
export async function strangersSession(platform: TestPlatform, { url }: DeployedPlugin, funnelId: string) {
  const { apiUrl } = platform
  const { host, origin } = new URL(url)
  // A host below localhost is this machine, whether its resolver knows that or not.
  const { text } = await sendRequest('GET', `${apiUrl}/checkout`, { headers: { host } })
  const [, data = ''] = /id="tillwright-data"[^>]*>([^<]*)</.exec(text) ?? []
  const { publishableKey: key } = JSON.parse(data)
  const headers = { Origin: origin }
  const begun = await sendRequest('POST', apiUrl + contract.session.begin.path, { key, headers, body: { funnelId } })
  return contract.session.begin.response.parse(begun.body)
}

/** Every page is the same: it shows the session, and has a button for each thing that a buyer may do. */
function pageOf(variantId: string): string {
  return `import { openPage } from '@tillwright/plugin-sdk'
const page = openPage()
const line = { variantId: '${variantId}' }
let shown = ''
document.body.innerHTML = '<main><h1>' + page.page.id + '</h1><p role="status"></p><ul></ul><div id="card"></div></main>'
const act = {
  fill: () => page.order.setLines([{ ...line, quantity: 2 }]),
  confirm: () => page.order.confirm(),
  contact: () => page.customer.setContact({ email: 'ada@example.com', firstName: 'Ada' }),
  pay: () => page.pay.withCard(),
  take: () => page.pay.oneClick([line], { amount: 2400, currency: 'USD' }),
  next: () => page.next(),
  over: () => page.session.startOver(),
}
for (const [name, work] of Object.entries(act)) {
  const button = document.createElement('button')
  button.textContent = name
  button.onclick = () => work().then((answer) => show(answer.outcome ?? ''), (error) => show(error.code))
  document.querySelector('main')!.append(button)
}
function show(said = shown) {
  shown = said
  const { status, view } = page.session.get()
  const order = view ? view.order.status + ' ' + view.order.amount : ''
  document.querySelector('[role=status]')!.textContent = [status, view?.step?.name, order, view?.customer.email, shown].join('|')
  document.querySelector('ul')!.innerHTML = (view?.broughtAlong?.lines ?? [])
    .map(({ quantity, amount }) => '<li>' + quantity + ' for ' + amount + '</li>').join('')
}
page.session.subscribe(() => show())
if (page.page.id === 'checkout') void page.pay.mount('#card')
page.pay.resume().then((resumed) => resumed && show(resumed.outcome))
Object.assign(window, { page })
`
}
