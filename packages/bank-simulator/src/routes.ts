import { isUuid } from '@tillwright/emv-3ds'
import { z } from 'zod'
import { control } from './bank/scenario.ts'
import { choices, decideOrder, findOrder } from './processor/orders.ts'
import { answerHook } from './merchant.ts'
import type { BankPage } from './pages/bank-page.ts'
import { refusedPage } from './pages/challenge-pages.ts'
import { orderEndedPage, orderPage } from './pages/order-page.ts'
import { type Timeline, timelinePage, timelinesPage, withoutProof } from './pages/timeline-pages.ts'
import type { Shown, SimulatedBank } from './simulated-bank.ts'
import type { BankDependencies } from './dependencies.ts'

/** A request to the bank. Its body is read only if needed. */
export interface BankRequest {
  method: string
  /** The path, starting with `/acs`. */
  path: string
  /** Whether the caller accepts HTML rather than a message. */
  acceptsHtml: boolean
  /** The `Accept-Language` header; empty if absent. */
  acceptLanguage: string
  /** The query string, without the leading `?`. */
  query: string
  text(): Promise<string>
  /** The body as JSON. */
  json(): Promise<unknown>
  /** The account of the secret key in the request. */
  accountOf(): Promise<string>
}

/** The response to a request. `refused` is an error that the platform reports in its own format. */
export type BankAnswer =
  | BankPage
  | { refused: 'resource_missing'; message: string }
  | { refused: 'parameter_invalid'; message: string; param: string }

/**
 * Routes requests to the bank: its pages for browsers, the timelines of authentications
 * (`/acs/timeline/{externalSessionId}` and `.../transcript.json`), and if `local` is set, the list of all timelines,
 * `POST /acs/control`, which arranges an outcome, and `POST /acs/merchant/{kind}`, which answers hooks.
 *
 * @returns `null` for an unknown address.
 */
export async function answerRequest(
  request: BankRequest,
  bank: SimulatedBank,
  dependencies: Pick<BankDependencies, 'server' | 'isLocal' | 'db' | 'clock'>,
): Promise<BankAnswer | null> {
  const { server, isLocal } = dependencies
  const route = `${request.method} ${request.path}`
  if (route === 'POST /acs/method') {
    const form = new URLSearchParams(await request.text())
    return bank.methodPage(form.get('threeDSMethodData') ?? '')
  }
  if (route === 'POST /acs/challenge') return openChallenge(request, bank)
  if (route === 'POST /acs/challenge/answer') return answerChallenge(request, bank)
  const [, asked] = /^GET \/acs\/challenge\/([^/]+)\/state$/.exec(route) ?? []
  if (asked !== undefined) return json({ ended: await bank.hasEnded(asked) })
  const [, paidId] = /^(?:GET|POST) \/acs\/pay\/([A-Za-z0-9_]+)$/.exec(route) ?? []
  if (paidId !== undefined) return answerOrder(paidId, request, dependencies)
  const [, id, transcript] = /^GET \/acs\/timeline\/([^/]+)(\/transcript\.json)?$/.exec(route) ?? []
  if (id !== undefined) return answerTimeline(id, transcript !== undefined, { server, isLocal })
  if (!isLocal) return null
  const [, kind] = /^POST \/acs\/merchant\/(\w+)$/.exec(route) ?? []
  if (kind !== undefined) return answerMerchant(kind, request)
  if (route === `GET ${LIST}`) {
    const wanted = new URLSearchParams(request.query).get('q') ?? ''
    return timelinesPage(await server.latestSessions(), wanted.slice(0, 100))
  }
  return route === 'POST /acs/control' ? arrange(request, bank) : null
}

/** The page of an order, whose id is the only credential: its buyer and the processor know it. */
async function answerOrder(
  attemptId: string,
  request: BankRequest,
  { db, clock }: Pick<BankDependencies, 'db' | 'clock'>,
): Promise<BankAnswer> {
  const order = await findOrder(attemptId, db)
  const nowMs = clock.now()
  const isOpen = order?.status === 'open' && nowMs < order.expiresMs && order.method !== 'sepa_debit'
  if (order === null || !isOpen) return orderEndedPage(request.acceptLanguage)
  if (request.method === 'GET') return orderPage(order, request.acceptLanguage)
  const sent = new URLSearchParams(await request.text()).get('choice')
  const choice = choices.find((known) => known === sent)
  if (choice === undefined) return orderPage(order, request.acceptLanguage)
  await db.write([decideOrder(order, choice, nowMs)])
  if (order.returnUrl === null) return orderEndedPage(request.acceptLanguage)
  return { status: 303, headers: { Location: order.returnUrl, 'Cache-Control': 'no-store' }, body: '' }
}

/** A merchant's own server, for trying hooks: `?do=hang` and its like arrange what it answers. */
async function answerMerchant(kind: string, request: BankRequest): Promise<BankAnswer | null> {
  const behaviour = new URLSearchParams(request.query).get('do') ?? ''
  const answer = await answerHook(kind, await request.json(), behaviour)
  return answer && { ...answer, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
}

const LIST = '/acs/timeline'

async function openChallenge(request: BankRequest, bank: SimulatedBank): Promise<BankPage> {
  const form = new URLSearchParams(await request.text())
  const threeDSSessionData = form.get('threeDSSessionData')
  return pageOf(request, await bank.openChallenge({ creq: form.get('creq') ?? '', threeDSSessionData }))
}

const actions = ['confirm', 'again', 'cancel'] as const

async function answerChallenge(request: BankRequest, bank: SimulatedBank): Promise<BankPage> {
  const form = new URLSearchParams(await request.text())
  const action = actions.find((known) => known === form.get('action')) ?? 'confirm'
  const acsTransactionId = form.get('transaction') ?? ''
  return pageOf(request, await bank.answerChallenge({ acsTransactionId, action, code: form.get('code')?.trim() ?? '' }))
}

/** Responds with a page to a browser, and with the Erro itself to any other caller. */
function pageOf({ acceptsHtml, acceptLanguage }: BankRequest, shown: Shown): BankPage {
  if (shown.outcome === 'page') return shown.page
  return acceptsHtml ? refusedPage(shown.erro, acceptLanguage) : json(shown.erro, 400)
}

function json(body: object, status = 200): BankPage {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** The id is the only credential: the shop and its buyer know it. */
async function answerTimeline(
  id: string,
  isTranscript: boolean,
  { server, isLocal }: Pick<BankDependencies, 'server' | 'isLocal'>,
): Promise<BankAnswer> {
  const found = isUuid(id) ? await server.findTimeline(id) : null
  if (found === null) {
    const message =
      'There is no 3-D Secure session of this id: its address ends in the externalSessionId of the session.'
    return { refused: 'resource_missing', message }
  }
  const timeline: Timeline = { ...found, listUrl: isLocal ? LIST : null }
  if (!isTranscript) return timelinePage(timeline)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': `attachment; filename="3ds-${found.session.externalSessionId}.json"`,
    'Cache-Control': 'no-store',
  }
  return { status: 200, headers, body: withoutProof(JSON.stringify(found.transcript, null, 2)) }
}

/** Arranges the next authentication of the key's account, or that of one transaction. */
const controlBody = z.strictObject({ next: control, threeDSServerTransID: z.uuid().optional() })

async function arrange(request: BankRequest, bank: SimulatedBank): Promise<BankAnswer> {
  const accountId = await request.accountOf()
  const parsed = controlBody.safeParse(await request.json())
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const param = issue?.path.join('.') ?? ''
    const message = `${param || 'The body'}: ${issue?.message ?? 'it cannot be read'}.`
    return { refused: 'parameter_invalid', message, param }
  }
  const { next, threeDSServerTransID: transactionId = '' } = parsed.data
  await bank.control(next, { accountId, transactionId })
  return json({ success: true })
}
