import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { listen, type Listening } from './listen.ts'
import { startBank } from './threeds-bank.ts'
import { type SessionState, TestSessions } from './threeds-sessions.ts'

/** The vault's 3-D Secure wire and a bank, each on its own origin, without any of the platform's code. */
export interface ThreedsVault extends Listening {
  bankUrl: string
  readonly sessions: TestSessions
  allowedOrigins: string[]
  /** Other scripts than those of the build, for attacks; the frame's policy then lets any inline script run. */
  weakened: { loader: string; frame: string } | null
  /** The operations that were called, oldest first. */
  readonly calls: string[]
  /** Answers of the next calls, instead of the real ones; `null` breaks the connection. */
  readonly faults: (Answer | null)[]
}

interface Answer {
  status: number
  body: unknown
}

/** Starts both, with the files of a build. */
export async function startThreedsVault(dist: string): Promise<ThreedsVault> {
  const sessions = new TestSessions()
  const own = await listen(createServer((request, response) => void route(request, response)))
  const bank = await startBank({
    hangs: (token) => sessions.state(token).method === 'hangs',
    notificationUrl: (kind, token) => `${own.url}/v1/threeds/${kind}/${token}`,
    decide: (token, isRight) => sessions.complete(token, isRight ? 'authenticated' : 'failed'),
  })
  const vault: ThreedsVault = {
    url: own.url,
    bankUrl: bank.url,
    close: async () => {
      await Promise.all([own.close(), bank.close()])
    },
    sessions,
    allowedOrigins: [],
    weakened: null,
    calls: [],
    faults: [],
  }
  return vault

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', vault.url)
    const [, kind, token = ''] = /^\/v1\/threeds\/(notify|method)\/(.+)$/.exec(pathname) ?? []
    const [, operation = ''] = /^\/api\/vault\/v1\/threeds\/(\w+)$/.exec(pathname) ?? []
    if (vault.weakened && pathname === '/v1/tillwright.js') response.end(vault.weakened.loader)
    else if (/^\/v1\/(tillwright|threeds)\.js$/.test(pathname))
      await sendScript(join(dist, pathname.slice(4)), response)
    else if (pathname === '/v1/threeds') await sendFrame(searchParams, { dist, vault }, response)
    else if (kind) sendNotice(kind === 'notify' ? 'challenge' : 'method', token, response)
    else if (operation) await operate(operation, request, response)
    else response.writeHead(404).end()
  }

  async function operate(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { actionToken, ...body } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    vault.calls.push(name)
    const fault = vault.faults.shift()
    if (fault === null) return void request.socket.destroy()
    const answer = fault ?? (await answerTo(name, { token: actionToken, body, vault }))
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body))
  }
}

async function sendScript(path: string, response: ServerResponse): Promise<void> {
  const headers = { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' }
  response.writeHead(200, headers).end(await readFile(path))
}

async function sendFrame(
  query: URLSearchParams,
  { dist, vault }: { dist: string; vault: ThreedsVault },
  response: ServerResponse,
): Promise<void> {
  const {
    scripts: [script],
    style,
    texts,
  } = JSON.parse(await readFile(join(dist, 'threeds.json'), 'utf8'))
  const { id, key, origin = '', locale = 'en' } = Object.fromEntries(query)
  const allowed = vault.weakened ? 'unsafe-inline' : script
  const csp = `default-src 'none'; script-src '${allowed}'; style-src '${style}'; connect-src 'self'; \
frame-src https: http:; form-action https: http:; base-uri 'none'; frame-ancestors ${vault.allowedOrigins.join(' ')}; \
require-trusted-types-for 'script'; trusted-types 'none'`
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp }
  if (!vault.allowedOrigins.includes(origin)) return void response.writeHead(403, headers).end('<p>Refused</p>')
  const frame = JSON.stringify({ id, origin, key, issuers: ['https://', 'http://localhost:'], returnUrl: '' })
  const values = { ...texts[locale], frame: frame.replaceAll('"', '&quot;') }
  const html = await readFile(join(dist, 'threeds.html'), 'utf8')
  const filled = html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name])
  const { frame: weak } = vault.weakened ?? {}
  const served = weak ? filled.replace(/<script>.*<\/script>/s, () => `<script>${weak}</script>`) : filled
  response.writeHead(200, headers).end(served)
}

function sendNotice(step: string, id: string, response: ServerResponse): void {
  const script = `parent.postMessage({tillwright:'threeds',step:'${step}',id:'${id}'},location.origin)`
  const html = `<!doctype html><title>Back</title><script>${script}</script>`
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)
}

interface Question {
  token: string
  body: SessionState['authenticated'][number]
  vault: ThreedsVault
}

async function answerTo(name: string, { token, body, vault }: Question): Promise<Answer> {
  const { sessions } = vault
  if (!sessions.knows(token)) return { status: 400, body: { message: 'The action token is not one of ours.' } }
  const state = sessions.state(token)
  if (name === 'start') return { status: 200, body: { status: 'created', method: methodOf(token, vault) } }
  if (name === 'authenticate') {
    if (state.outcome !== 'pending') return { status: 409, body: { message: 'The session is over.' } }
    return { status: 200, body: { status: 'x', transStatus: 'C', challenge: authenticate(token, body, vault) } }
  }
  if (name === 'cancel' && state.outcome === 'pending') sessions.complete(token, 'cancelled')
  await sessions.over(token)
  return { status: 200, body: { status: `is ${state.outcome}`, transStatus: 'Y', outcome: state.outcome } }
}

function methodOf(token: string, { sessions, url, bankUrl }: ThreedsVault): unknown {
  if (sessions.state(token).method === null) return null
  const threeDSMethodNotificationURL = `${url}/v1/threeds/method/${token}`
  return { url: `${bankUrl}/method`, data: encode({ threeDSMethodNotificationURL, threeDSServerTransID: token }) }
}

function authenticate(token: string, body: Question['body'], { sessions, bankUrl }: ThreedsVault): unknown {
  const state = sessions.state(token)
  if (state.authenticated.length === 0) state.windowSize = body.browser.challengeWindowSize
  state.authenticated.push(body)
  if (state.frictionless) sessions.complete(token, state.frictionless)
  if (state.frictionless) return null
  const { acsUrl, windowSize } = state
  return { acsUrl: acsUrl ?? `${bankUrl}/challenge`, creq: encode({ threeDSServerTransID: token }), windowSize }
}

function encode(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}
