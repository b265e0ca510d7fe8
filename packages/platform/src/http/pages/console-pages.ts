import { bodyLimitsOf, contract } from '@tillwright/contract'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import type { Context } from 'hono'
import { z } from 'zod'
import {
  findSignedIn,
  MemberSignIn,
  OpenIdSignIn,
  readCookie,
  requireFresh,
  setCookie,
  type Step,
  type Visitor,
} from '../../members/index.ts'
import type { Caller } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import {
  type App,
  plainFailure,
  requireOwnPage,
  signInRequired,
  clientAddress,
  type HttpContext,
  pageOf,
  type ServerContext,
} from '../operations/index.ts'
import { readWithin, readBody } from '../bodies/index.ts'
import { sendShared } from './compressed.ts'
import { type ConsoleFiles, type ConsoleSettings, readConsole } from './console-files.ts'

const name = z.string().trim().min(1).max(100)
/** A credential as a browser sends it. Its fields are read by the library that verifies them. */
const credential = z.looseObject({
  id: z.string().min(1).max(2_048),
  rawId: z.string().max(2_048),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).default({}),
})
const attestation = credential.extend({
  response: z.looseObject({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).exactOptional(),
  }),
})
const assertion = credential.extend({
  response: z.looseObject({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().exactOptional(),
  }),
})

/** One step of a sign-in: a page posts JSON, and is answered JSON. */
interface Route<Body extends z.ZodType> {
  body: Body
  /** Whether only a member who is signed in may do it. */
  isMembers?: true
  work: (body: z.output<Body>, from: Visitor, member: Caller | null) => Promise<Step<object>>
}

/**
 * The console's files, and the steps of a sign-in behind its pages. The steps are no operations of the API: they are
 * called by a browser with a passkey, before any member is known.
 */
export function routeConsole(app: App, serverContext: ServerContext, pluginsUrl: string): void {
  const { services, consolePlace: place, openId } = serverContext
  const steps = new MemberSignIn(services, place)
  routeFiles(app, { origin: place.origin, pluginsUrl, openIdName: openId?.name ?? null })
  const route: AddRoute = (path, step) => app.post(path, (c) => answer(c, step, serverContext))
  route('/console/sign-in/begin', { body: z.object({}), work: () => steps.begin() })
  route('/console/sign-in/passkey', {
    body: z.object({ response: assertion }),
    work: ({ response }, from) => steps.withPasskey(response, from),
  })
  route('/console/sign-in/recovery-code', {
    body: z.object({ email: z.string().max(255), code: z.string().max(64) }),
    async work(sent, from) {
      const { allowed, retryAfterS } = await serverContext.takeSignInToken(from.address, sent.email)
      if (!allowed) throw tooMany(retryAfterS)
      return steps.withRecoveryCode(sent, from)
    },
  })
  route('/console/accept/begin', {
    body: z.object({ token: z.string().max(64) }),
    work: ({ token }) => steps.beginAcceptance(token),
  })
  route('/console/accept/finish', {
    body: z.object({ token: z.string().max(64), name, response: attestation }),
    work: (sent, from) => steps.accept(sent, from),
  })
  route('/console/passkeys/begin', {
    body: z.object({}),
    isMembers: true,
    work: (_, __, member) => steps.beginPasskey(freshOwner(member, services.clock.now())),
  })
  route('/console/passkeys/add', {
    body: z.object({ name, response: attestation }),
    isMembers: true,
    work: (sent, from, member) => steps.addPasskey(freshOwner(member, services.clock.now()), sent, from),
  })
  if (openId === null) return
  const byOpenId = new OpenIdSignIn(services, openId)
  routeOpenId(route, byOpenId, services)
  app.post('/console/openid/logout', (c) => signOut(c, byOpenId, serverContext))
}

/** Every address below `/console` is the same page: its script shows what the address names. */
function routeFiles(app: App, settings: ConsoleSettings): void {
  const { origin } = settings
  let reading: Promise<ConsoleFiles> | undefined
  const read = () => (reading ??= readConsole(settings)) // by the first who opens it
  app.get('/console/assets/:file', async (c) => {
    const files = await read()
    const asset = files.outcome === 'read' ? files.assets.get(c.req.param('file')) : undefined
    if (asset === undefined) return c.notFound()
    return sendShared(c, asset.bytes, asset.headers)
  })
  app.get('/console/*', async (c) => {
    const files = await read()
    if (files.outcome === 'not_built') return c.text(files.message, 503)
    // Cookies and passkeys belong to one host, by which the page has to be opened.
    const isHere = c.env.incoming.headers.host === new URL(origin).host
    if (!isHere) return c.redirect(origin + c.req.path)
    return sendShared(c, files.html, framing.test(c.req.path) ? files.framingHeaders : files.headers)
  })
}

/** The page of a plugin's settings, which shows the plugin's own page next to them. */
const framing = /^\/console\/plugins\/[^/]+\/settings$/

type AddRoute = <Body extends z.ZodType>(path: string, step: Route<Body>) => void

/** The steps of a sign-in by OpenID Connect. */
function routeOpenId(
  route: AddRoute,
  byOpenId: OpenIdSignIn,
  { clock }: Pick<ServerContext['services'], 'clock'>,
): void {
  route('/console/sign-in/openid', { body: z.object({}), work: () => byOpenId.begin() })
  route('/console/accept/openid', {
    body: z.object({ token: z.string().max(64) }),
    work: ({ token }) => byOpenId.beginAcceptance(token),
  })
  route('/console/identities/begin', {
    body: z.object({}),
    isMembers: true,
    work: (_, __, member) => byOpenId.beginLink(freshOwner(member, clock.now())),
  })
  route('/console/openid/finish', {
    body: z.object({ response: z.string().max(4_096) }),
    work: ({ response }, from, caller) => {
      const { accountId, member } = caller ?? {}
      const signedIn = accountId === undefined || member === undefined ? null : { accountId, ...member }
      return byOpenId.finish(response, from, signedIn)
    },
  })
}

/**
 * A call of the provider itself, which tells that a person has been signed out. Source: OpenID Connect Back-Channel Logout 1.0,
 * sections 2.5 and 2.8.
 */
async function signOut(c: HttpContext, byOpenId: OpenIdSignIn, serverContext: ServerContext): Promise<Response> {
  const { incoming } = c.env
  c.header('Cache-Control', 'no-store')
  try {
    const address = clientAddress(incoming, serverContext.trustedProxies)
    const { allowed, retryAfterS } = await serverContext.takeSignInToken(address)
    if (!allowed) return c.body(null, 429, { 'Retry-After': String(retryAfterS) })
    const body = await readWithin(serverContext.bodies, address, (room) => readBody(incoming, BODY_MAX_BYTES, room))
    const from = { ceremony: null, former: null, address, userAgent: incoming.headers['user-agent'] }
    await byOpenId.signOut(new URLSearchParams(body.toString()).get('logout_token') ?? '', from)
    return c.body(null, 200)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [code, status] =
      error.status < 500 ? (['invalid_request', 400] as const) : (['temporarily_unavailable', 503] as const)
    return c.json({ error: code, error_description: error.message }, status)
  }
}

/** The member who adds a way to sign in, if the last sign-in is not too long ago. */
function freshOwner(caller: Caller | null, nowMs: number): { accountId: string; memberId: string } {
  if (caller?.member === undefined) throw signInRequired()
  requireFresh(caller.member, nowMs)
  return { accountId: caller.accountId, memberId: caller.member.memberId }
}

async function answer<Body extends z.ZodType>(
  c: HttpContext,
  { body, isMembers, work }: Route<Body>,
  serverContext: ServerContext,
): Promise<Response> {
  const { consolePlace: place, services } = serverContext
  let address: string | null = null
  try {
    address = clientAddress(c.env.incoming, serverContext.trustedProxies)
    // First, so that another page, open in a member's browser, does not use up what the member may try.
    requireOwnPage({ ...pageOf(c), origin: c.env.incoming.headers.origin }, place)
    const { allowed, retryAfterS } = await serverContext.takeSignInToken(address)
    if (!allowed) throw tooMany(retryAfterS)
    const sent = parsed(body, await readJson(c, address, serverContext))
    const { cookie, 'user-agent': userAgent } = c.env.incoming.headers
    const token = readCookie('session', cookie, place)
    const member = token === null ? null : await findSignedIn(token, services, place)
    if (isMembers && member === null) throw signInRequired()
    const former = member && { accountId: member.accountId, ...member.member }
    const from = { ceremony: readCookie('ceremony', cookie, place), former, address, userAgent }
    return replied(c, await work(sent, from, member), serverContext)
  } catch (error) {
    if (error instanceof ApiError) return refused(error, { path: c.req.path, address }, serverContext)
    throw error
  }
}

/** What is refused stands in the log, which so tells who tries to sign in: the audit log has changes alone. */
function refused(
  error: ApiError,
  from: { path: string; address: string | null },
  serverContext: ServerContext,
): Response {
  const response = plainFailure(error, serverContext)
  const { status, code } = error
  const requestId = response.headers.get('X-Request-Id')
  serverContext.services.log.warn({ requestId, ...from, status, code }, 'a sign-in was refused')
  return response
}

function replied(
  c: Context,
  { body, ceremony, session }: Step<object>,
  { consolePlace: place }: ServerContext,
): Response {
  c.header('Cache-Control', 'no-store')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Set-Cookie', setCookie('ceremony', ceremony ?? null, place))
  if (session !== undefined) c.header('Set-Cookie', setCookie('session', session, place), { append: true })
  return c.json(body)
}

/** A response of an authenticator has a few kilobytes at most. */
const { bytes: BODY_MAX_BYTES } = bodyLimitsOf(contract.session.begin)

async function readJson(c: HttpContext, address: string, { bodies }: ServerContext): Promise<unknown> {
  const { incoming } = c.env
  if (!/^application\/json\b/i.test(incoming.headers['content-type'] ?? ''))
    throw new ApiError('content_type_unsupported', 'Send the body as application/json.')
  const body = await readWithin(bodies, address, (room) => readBody(incoming, BODY_MAX_BYTES, room))
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new ApiError('json_invalid', 'The body is not JSON.')
  }
}

function parsed<Body extends z.ZodType>(schema: Body, sent: unknown): z.output<Body> {
  const result = schema.safeParse(sent, { error: ruleMessage })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const param = issue?.path.join('.') ?? ''
  throw new ApiError('parameter_invalid', `${param === '' ? 'The body' : param} ${issue?.message ?? 'is invalid'}.`, {
    param,
  })
}

function tooMany(retryAfterS: number): ApiError {
  return new ApiError('rate_limit_exceeded', `Too many attempts to sign in; try again in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  })
}
