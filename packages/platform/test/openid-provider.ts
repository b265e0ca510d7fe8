import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration, Provider as Library } from 'oidc-provider'
import type { consoleBrowser } from './console-browser.ts'

const CLIENT = { id: 'tillwright', secret: 'the secret of the platform, of many characters' }

/** The user at the provider. */
export interface PersonAtProvider {
  sub: string
  email?: string
  email_verified?: boolean
}

/** A provider of OpenID Connect on loopback, made of a real library. Every step of it is over HTTP. */
export interface TestProvider {
  /** Settings of the platform that is its client. */
  env: Record<string, string>
  issuer: string
  clientSecret: string
  /** Requests to the provider so far, such as `POST /token`. */
  asked: string[]
  /** Changes ID tokens on their way; `null` for none. */
  forge: ((idToken: string) => string | Promise<string>) | null
  /** While it is down, connections are closed without an answer. */
  isDown: boolean
  /** Makes the platform its client. */
  register(apiUrl: string): Promise<void>
  /** Signs a person out everywhere, and tells its client. @throws {Error} If that does not answer 200. */
  signOut(person: PersonAtProvider): Promise<void>
  /**
   * A browser's way through the provider.
   *
   * @returns Where the provider sends it.
   */
  visit(url: string, person: PersonAtProvider): Promise<URL>
  stop(): Promise<void>
}

/** Starts a provider. With `hasForms`, people type their names into its pages; else `visit` says who they are. */
export async function startProvider({ hasForms = false } = {}): Promise<TestProvider> {
  const { Provider } = await import('oidc-provider')
  const persons = new Map<string, PersonAtProvider>()
  let library: Library | null = null
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', issuer)
    provider.asked.push(`${request.method} ${pathname}`)
    if (provider.isDown || library === null) return void request.socket.destroy()
    const who = request.headers['x-person']
    if (!hasForms && pathname.startsWith('/interaction/') && typeof who === 'string') {
      await library.interactionFinished(request, response, { login: { accountId: who } })
      return
    }
    if (pathname === '/token' && provider.forge !== null) forgeToken(response, provider.forge)
    await library.callback()(request, response)
  }

  const provider: TestProvider = {
    env: {
      TILLWRIGHT_OPENID_ISSUER: issuer,
      TILLWRIGHT_OPENID_CLIENT_ID: CLIENT.id,
      TILLWRIGHT_OPENID_CLIENT_SECRET: CLIENT.secret,
      TILLWRIGHT_OPENID_NAME: 'Company Login',
    },
    issuer,
    clientSecret: CLIENT.secret,
    asked: [],
    forge: null,
    isDown: false,
    async register(apiUrl) {
      const redirectUri = `${new URL(apiUrl).origin}/console/openid`
      library = new Provider(issuer, settingsOf({ redirectUri, persons, hasForms }))
    },
    async signOut({ sub }) {
      const client = await library?.Client.find(CLIENT.id)
      const tell = client?.['backchannelLogout'] // which its types leave out
      if (typeof tell !== 'function') throw new Error('The library tells no client of a sign-out any more.')
      await Reflect.apply(tell, client, [sub])
    },
    async visit(url, person) {
      persons.set(person.sub, person)
      return visit(new URL(url), { person, issuer })
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

/** Puts another ID token into the answer. */
function forgeToken(response: ServerResponse, forge: NonNullable<TestProvider['forge']>): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse // koa ends with the whole body
  const changed = async (body: Buffer | string) => {
    const sent = JSON.parse(body.toString())
    const text = JSON.stringify({ ...sent, ...(sent.id_token && { id_token: await forge(sent.id_token) }) })
    response.setHeader('Content-Length', Buffer.byteLength(text))
    end(text)
  }
  response.end = ((body: Buffer | string) => (void changed(body), response)) as ServerResponse['end']
}

function settingsOf({
  redirectUri,
  persons,
  hasForms,
}: {
  redirectUri: string
  persons: ReadonlyMap<string, PersonAtProvider>
  hasForms: boolean
}): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: `${redirectUri}/logout`,
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: hasForms }, backchannelLogout: { enabled: true } },
    // Its own way out refuses loopback.
    fetch: (url, options) => fetch(url, Object.assign({}, options, { dispatcher: undefined })),
    cookies: { keys: ['of a test'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_, id) => {
      const { sub: _sub, ...claims } = persons.get(id) ?? { sub: id, email: `${id}@company.example` }
      return { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
    async loadExistingGrant({ oidc }) {
      if (oidc.client === undefined || oidc.session?.accountId === undefined) return undefined
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  }
}

/** Follows the provider's pages with its cookies, as a browser does, until it sends the browser away. */
async function visit(from: URL, { person, issuer }: { person: PersonAtProvider; issuer: string }): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = from
  while (at.origin === issuer) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { Cookie, 'X-Person': person.sub } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider has answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at)
  }
  return at
}

type Browser = ReturnType<typeof consoleBrowser>

/** Goes through the provider from a page of the console, and back. */
export async function throughProvider(
  { browser, path, body = {} }: { browser: Browser; path: string; body?: object },
  person: PersonAtProvider,
  provider: TestProvider,
) {
  const begun = await browser.post(path, body)
  if (begun.status !== 200) return begun
  const { url } = begun.body as { url: string } // the page's own
  const back = await provider.visit(url, person)
  return browser.post('/console/openid/finish', { response: back.search.slice(1) })
}
