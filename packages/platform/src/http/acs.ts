import { contract } from '@tillwright/contract'
import { z } from 'zod'
import type { EmvMessage } from '@tillwright/emv-3ds'
import { ApiError } from '../ambient/api-error.ts'
import type { AcsPage } from '../payments/threeds/engine/pages/acs-page.ts'
import { refusedPage } from '../payments/threeds/engine/pages/refused-page.ts'
import { control } from '../payments/threeds/engine/scenario.ts'
import type { Shown, ThreedsEngine } from '../payments/threeds/engine/threeds-engine.ts'
import type { AcsRoute } from './acs-route.ts'
import { routeTimelines } from './acs-timelines.ts'
import type { App } from './api-app.ts'
import { parseJson } from './parse-json.ts'
import { plainFailure } from './plain-failure.ts'
import { readBody } from './read-body.ts'
import type { HttpContext } from './serve-operation.ts'
import type { Serving } from './serving.ts'
import { toApiError } from './error-body.ts'

/** The most that a browser posts to a bank: a request for a challenge with what the shop wants back. */
const FORM_MAX_BYTES = 65_536

/** The pages of the simulated bank under `/acs`, for `local` and `development`; in `local` what is to come can be arranged. */
export function routeAcs(app: App, engine: ThreedsEngine, serving: Serving): void {
  /** What goes wrong here is no more than a message: the page around has to do without the bank. */
  const route: AcsRoute = (method, path, work) => {
    app.on(method, path, (c) => work(c).catch((error: unknown) => failure(error, serving)))
  }

  route('POST', '/acs/method', async (c) => {
    const form = await readForm(c)
    return respond(await engine.methodPage(form.get('threeDSMethodData') ?? ''))
  })
  route('POST', '/acs/challenge', async (c) => {
    const form = await readForm(c)
    const threeDSSessionData = form.get('threeDSSessionData')
    return answer(c, await engine.openChallenge({ creq: form.get('creq') ?? '', threeDSSessionData }))
  })
  route('POST', '/acs/challenge/answer', async (c) => {
    const form = await readForm(c)
    const action = actions.find((known) => known === form.get('action')) ?? 'confirm'
    const acsTransactionId = form.get('transaction') ?? ''
    return answer(c, await engine.answerChallenge({ acsTransactionId, action, code: form.get('code')?.trim() ?? '' }))
  })
  route('GET', '/acs/challenge/:id/state', async (c) =>
    c.json({ ended: await engine.hasEnded(c.req.param('id') ?? '') }),
  )
  routeTimelines(route, serving.parts)
  if (serving.parts.environment !== 'local') return
  route('POST', '/acs/control', async (c) => c.json(await arrange(c, engine, serving)))
}

function failure(thrown: unknown, serving: Serving): Response {
  const error = toApiError(thrown)
  if (error.status >= 500) serving.parts.log.error({ err: error.details.cause ?? error }, 'the simulated bank failed')
  return plainFailure(error, serving)
}

const actions = ['confirm', 'again', 'cancel'] as const

/** What is arranged, for the account of the key: for its next authentication, or for one transaction. */
const controlBody = z.strictObject({ next: control, threeDSServerTransID: z.uuid().optional() })

async function arrange(c: HttpContext, engine: ThreedsEngine, serving: Serving): Promise<{ success: true }> {
  const { headers, url = '' } = c.env.incoming
  const { authorization, origin } = headers
  const { accountId } = await serving.authenticate(contract.threeds.authenticate, { authorization, origin, url })
  const parsed = controlBody.safeParse(parseJson(await readBody(c.env.incoming, FORM_MAX_BYTES)))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const param = issue?.path.join('.') ?? ''
    throw new ApiError('parameter_invalid', `${param || 'The body'}: ${issue?.message ?? 'it cannot be read'}.`, {
      param,
    })
  }
  const { next, threeDSServerTransID: transactionId = '' } = parsed.data
  await engine.control(next, { accountId, transactionId })
  return { success: true }
}

async function readForm(c: HttpContext): Promise<URLSearchParams> {
  const body = await readBody(c.env.incoming, FORM_MAX_BYTES)
  return new URLSearchParams(body.toString())
}

function answer(c: HttpContext, shown: Shown): Response {
  return shown.outcome === 'page' ? respond(shown.page) : refuse(c, shown.erro)
}

/** Who asks for a page is shown one; anybody else gets the message itself. */
function refuse(c: HttpContext, erro: EmvMessage): Response {
  return c.req.header('accept')?.includes('text/html') === true ? respond(refusedPage(erro)) : c.json(erro, 400)
}

function respond({ html, status, headers }: AcsPage): Response {
  return new Response(html, { status, headers })
}
