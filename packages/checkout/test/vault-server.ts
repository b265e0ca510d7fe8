import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { compactDecrypt, exportJWK, generateKeyPair, type JWK } from 'jose'
import { listen, type Listening } from './listen.ts'

/** A vault with the wire and the headers of the real one, which decrypts with another implementation than ours. */
export interface TestVault extends Listening {
  /** Decrypted cards that the frame has sent, oldest first. */
  readonly cards: Record<string, unknown>[]
  /** The bodies of all token requests as they came, oldest first. */
  readonly bodies: string[]
  /** The origins that the publishable key allows; a frame for another one is refused. */
  allowedOrigins: string[]
  /** Response that a token request must carry for a challenge; without it, none is required. */
  challenge?: string | undefined
  /** Whether the next token requests are refused, and how. */
  refusal: { status: number; body: unknown } | null
  /** How far its clock is ahead of the browser's, in milliseconds. */
  aheadMs: number
  /** The API's answer about methods: their types, or a refusal. */
  methods: readonly string[] | { status: number; message: string }
  /** The bodies of the questions for that, oldest first. */
  readonly asked: unknown[]
  /** Settles before a token request is answered, so that a test can hold it. */
  hold: Promise<void>
  /** Settles before the end of a card form's document is sent, behind the script that its fields need: `false` cuts it off. */
  documentEnd: Promise<boolean>
}

/** Starts a vault that serves the files of a build. */
export async function startVault(dist: string): Promise<TestVault> {
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'vault-key-1', alg: 'ECDH-ES' }
  const server = createServer((request, response) => void route(request, response))
  const vault: TestVault = {
    ...(await listen(server)),
    cards: [],
    bodies: [],
    allowedOrigins: [],
    refusal: null,
    aheadMs: 0,
    methods: ['card'],
    asked: [],
    hold: Promise.resolve(),
    documentEnd: Promise.resolve(true),
  }
  return vault

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', vault.url)
    if (pathname === '/v1/tillwright.js') return sendLoader(response)
    if (pathname.startsWith('/v1/languages/'))
      return sendLanguage(join(dist, 'languages', basename(pathname)), response)
    if (isAskedByPage(pathname)) return answerPage(request, response, { vault, dist })
    if (pathname === '/v1/card') return sendCard(searchParams, response)
    if (tokenPaths.includes(pathname) && request.method === 'POST') return sendToken(request, response)
    response.writeHead(404).end()
  }

  async function sendLoader(response: ServerResponse): Promise<void> {
    const script = await readFile(join(dist, 'tillwright.js'))
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
  }

  async function sendCard(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const origin = query.get('origin') ?? ''
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': await cardCsp(dist, vault.allowedOrigins),
    }
    if (!vault.allowedOrigins.includes(origin)) return void response.writeHead(403, headers).end('<p>Refused</p>')
    const now = Date.now() + vault.aheadMs
    const config = JSON.stringify({ session: 'session-1', jwk, now })
    const html = await readFile(join(dist, 'card.html'), 'utf8')
    const [, first = '', rest = ''] = /^(.*?<\/script>)(.*)$/s.exec(html) ?? []
    response.writeHead(200, headers).write(first)
    if (await vault.documentEnd) response.end(rest.replace('{{frame}}', () => escapeAttribute(config)))
    else response.destroy()
  }

  async function sendToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString()
    vault.bodies.push(body)
    const { jwe, challengeResponse } = JSON.parse(body)
    const { plaintext } = await compactDecrypt(jwe, privateKey)
    const card = JSON.parse(new TextDecoder().decode(plaintext))
    vault.cards.push(card)
    await vault.hold
    const answer = vault.refusal ?? answerTo(card, { wanted: vault.challenge, given: challengeResponse })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body))
  }
}

const JSON_TYPE = 'application/json'
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'authorization, content-type' }

const WALLETS_PATH = '/api/vault/v1/wallets'

/** Of an account that takes no wallet. */
const noWallets = { session: 'session-1', applePay: null, googlePay: null, simulator: null }

/** Modules that the loader asks for. */
const parts = ['/v1/methods.js', '/v1/wallets.js']

/** Whether the page sends the request itself, and not through a frame. */
function isAskedByPage(path: string): boolean {
  const own = [WALLETS_PATH, ...parts, '/v1/tillwright.json', '/api/session/v1/payment-methods']
  return own.includes(path) || /^\/v1\/methods\/[a-z]+\.json$/.test(path)
}

/** Answers the page's own requests: method files, the API's list of methods, and an account without wallets. */
async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  { vault, dist }: { vault: TestVault; dist: string },
): Promise<void> {
  const send = (status: number, type: string, text: string | Buffer) =>
    void response.writeHead(status, { ...CORS, 'Content-Type': type }).end(text)
  const { pathname } = new URL(request.url ?? '/', vault.url)
  if (parts.includes(pathname)) return send(200, 'text/javascript', await readFile(join(dist, basename(pathname))))
  if (pathname === '/v1/tillwright.json') return send(200, JSON_TYPE, JSON.stringify({ api: vault.url }))
  if (pathname.startsWith('/v1/methods/')) {
    return send(200, JSON_TYPE, await readFile(join(dist, 'methods', basename(pathname))))
  }
  if (request.method === 'OPTIONS') return send(204, JSON_TYPE, '')
  if (pathname === WALLETS_PATH) return send(200, JSON_TYPE, JSON.stringify(noWallets))
  const body = Buffer.concat(await request.toArray()).toString()
  vault.asked.push({ ...JSON.parse(body), key: request.headers.authorization })
  await vault.hold
  const { methods } = vault
  if ('status' in methods) {
    return send(methods.status, JSON_TYPE, JSON.stringify({ error: { message: methods.message, requestId: 'req_1' } }))
  }
  return send(200, JSON_TYPE, JSON.stringify({ data: methods.map((type) => ({ type })) }))
}

interface FrameHashes {
  scripts: readonly string[]
  style: string
}

async function cardCsp(dist: string, allowedOrigins: readonly string[]): Promise<string> {
  const { scripts, style }: FrameHashes = JSON.parse(await readFile(join(dist, 'card.json'), 'utf8'))
  return [
    "default-src 'none'",
    `script-src ${scripts.map((each) => `'${each}'`).join(' ')}`,
    `style-src '${style}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${allowedOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

async function sendLanguage(path: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(await readFile(path))
}

const tokenPaths = ['/api/vault/v1/tokens', '/api/vault/v1/security-codes']

const challenged = {
  status: 403,
  body: { error: { code: 'challenge_required', message: 'Solve the challenge.', requestId: 'req_challenge' } },
}

interface Sent {
  number?: string
  paymentInstrumentId?: string
  expMonth: number
  expYear: number
  network?: string
}

function answerTo(
  card: Sent,
  challenge: { wanted: string | undefined; given: unknown },
): {
  status: number
  body: unknown
} {
  const { wanted, given } = challenge
  return wanted === undefined || wanted === given ? { status: 201, body: tokenFor(card) } : challenged
}

function tokenFor({ number, paymentInstrumentId, expMonth, expYear, network = 'visa' }: Sent): unknown {
  if (number === undefined) {
    const card = { brand: 'amex', last4: '0005', expMonth: 1, expYear: 2035, funding: 'credit' }
    return { securityCodeToken: 'code-token', paymentInstrumentId, card, expiresAt: '2030-01-01T00:15:00.000Z' }
  }
  return {
    serviceToken: 'service-token',
    card: { brand: network, last4: number.slice(-4), expMonth, expYear, funding: 'credit' },
    expiresAt: '2030-01-01T00:15:00.000Z',
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
