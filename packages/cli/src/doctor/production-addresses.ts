import { lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import type { Config } from '@tillwright/platform'
import { fail, type Finding, ok, warn } from './checks.ts'

const ANSWER_MS = 5_000
const DAY_MS = 86_400_000
const CERTIFICATE_WARN_DAYS = 21
const CERTIFICATE_FAIL_DAYS = 3

/** Checks the public addresses as a buyer's browser would reach them: names, certificates, proxies, what must not answer. */
export async function checkAddresses(config: Config, domains: readonly string[]): Promise<Finding[]> {
  const { apiUrl, vaultUrl, pluginsUrl, metrics } = config
  if (apiUrl === undefined || vaultUrl === undefined || pluginsUrl === undefined) return []
  const wildcard = new URL(pluginsUrl)
  wildcard.hostname = `doctor.${wildcard.hostname}`
  const found = await Promise.all([
    checkCertificate('TILLWRIGHT_API_URL', apiUrl),
    checkCertificate('TILLWRIGHT_VAULT_URL', vaultUrl),
    checkCertificate('TILLWRIGHT_PLUGINS_URL', wildcard.href),
    ...domains.map((domain) => checkCertificate('the promoted domain', `https://${domain}`)),
    checkReady('TILLWRIGHT_API_URL', apiUrl),
    checkReady('TILLWRIGHT_VAULT_URL', vaultUrl),
    checkProxy(apiUrl),
    checkMetrics(apiUrl, metrics?.port),
    checkOwnPort(apiUrl, { port: config.port, setting: 'TILLWRIGHT_PORT' }),
    checkOwnPort(vaultUrl, { port: config.vaultPort, setting: 'TILLWRIGHT_VAULT_PORT' }),
  ])
  return found.flat()
}

/** Checks that a name has an address, and that its certificate is trusted and lasts. */
async function checkCertificate(setting: string, url: string): Promise<Finding> {
  const { hostname, port } = new URL(url)
  if (!(await resolves(hostname))) {
    return fail(
      `${setting}: ${hostname} has no address in DNS`,
      `add a record for ${hostname} that leads to your proxy`,
    )
  }
  const result = await certificateOf(hostname, Number(port || 443))
  if (typeof result === 'string') {
    return fail(
      `${setting}: no trusted HTTPS at ${hostname}:${port || 443} (${result})`,
      'install a certificate for this name at the proxy, with its chain',
    )
  }
  const days = Math.floor((Date.parse(result.valid_to) - Date.now()) / DAY_MS)
  const what = `${setting}: the certificate of ${hostname} is valid for ${days} days`
  if (days < CERTIFICATE_FAIL_DAYS) return fail(what, 'renew it now')
  return days < CERTIFICATE_WARN_DAYS ? warn(what, 'see why it was not renewed by itself') : ok(what)
}

/** Names below `localhost` are this machine's, whether or not its resolver knows. Source: RFC 6761, 6.3. */
function reachedAt(hostname: string): string {
  return hostname.endsWith('.localhost') ? 'localhost' : hostname
}

async function resolves(hostname: string): Promise<boolean> {
  return lookup(reachedAt(hostname)).then(
    () => true,
    () => false,
  )
}

/** @returns The certificate, or why it is not trusted. */
function certificateOf(host: string, port: number): Promise<PeerCertificate | string> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? host : '' // SNI is for names. Source: RFC 6066, 3.
    const socket = connect({ host: reachedAt(host), port, servername, timeout: ANSWER_MS }, () => {
      resolve(socket.getPeerCertificate())
      socket.end()
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('timeout', () => resolve(socket.destroy() && 'no answer'))
  })
}

async function ask(url: string): Promise<{ status: number; text: string } | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  }
}

async function checkReady(setting: string, url: string): Promise<Finding> {
  const place = new URL('/readyz', url).href
  const answer = await ask(place)
  if (typeof answer === 'string')
    return fail(`${setting}: ${place} does not answer (${answer})`, 'start the platform, and let the proxy lead to it')
  if (answer.status === 200) return ok(`${setting}: ${place} says that the platform is ready`)
  return fail(`${setting}: ${place} answers ${answer.status}`, 'look at what it says, and at the log of the platform')
}

/** A request without a key is refused for that, unless the platform does not trust the proxy that it came through. */
async function checkProxy(apiUrl: string): Promise<Finding> {
  const answer = await ask(new URL('/api/public/v1/auth/test', apiUrl).href)
  if (typeof answer !== 'string' && answer.status === 401)
    return ok('TILLWRIGHT_TRUSTED_PROXIES: the proxy is trusted, and says that requests came over HTTPS')
  if (typeof answer !== 'string' && answer.status === 400) {
    return fail(
      'TILLWRIGHT_TRUSTED_PROXIES: requests through the public address are taken for plain HTTP',
      'name the address that the proxy connects from, and let it send X-Forwarded-Proto and X-Forwarded-For',
    )
  }
  const said = typeof answer === 'string' ? answer : String(answer.status)
  return warn(
    `TILLWRIGHT_TRUSTED_PROXIES: could not be tried, because the API answers ${said}`,
    'mend the above, then look again',
  )
}

/** Neither behind the proxy nor past it: whoever reads the metrics needs no key. */
async function checkMetrics(apiUrl: string, port = 0): Promise<Finding> {
  const { hostname } = new URL(apiUrl)
  const behind = await showsMetrics(new URL('/metrics', apiUrl).href)
  const past =
    port > 0 && (await publicAddress(hostname)) !== null && (await showsMetrics(`http://${hostname}:${port}`))
  if (!behind && !past) return ok('the metrics are not public')
  return behind
    ? fail('the metrics are public at TILLWRIGHT_API_URL', 'let the proxy refuse /metrics')
    : fail(
        `the metrics are public at port ${port} of ${hostname}`,
        'let TILLWRIGHT_METRICS_HOST name an address that only Prometheus reaches, or a firewall admit it alone',
      )
}

async function showsMetrics(place: string): Promise<boolean> {
  const answer = await ask(new URL('/metrics', place).href)
  return typeof answer !== 'string' && answer.status === 200 && /^# (?:HELP|TYPE) /m.test(answer.text)
}

/** The proxy alone may reach the platform's own ports: there is no HTTPS on them. */
async function checkOwnPort(url: string, { port, setting }: { port: number; setting: string }): Promise<Finding> {
  const { hostname, port: publicPort } = new URL(url)
  const isOwn = port !== 0 && Number(publicPort || 443) !== port
  const address = isOwn ? await publicAddress(hostname) : null
  if (address === null || !(await accepts(address, port))) return ok(`${setting}: is not public by itself`)
  return warn(`${setting}: port ${port} answers at ${hostname} without HTTPS`, 'let a firewall admit the proxies alone')
}

/** Where others reach a name; `null` if it leads to the machine that asks. */
async function publicAddress(hostname: string): Promise<string | null> {
  const { address } = await lookup(reachedAt(hostname)).catch(() => ({ address: '::1' }))
  return address.startsWith('127.') || address === '::1' ? null : address
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host, port, timeout: ANSWER_MS }, () => resolve(socket.destroy() !== null))
    socket.once('error', () => resolve(false))
    socket.once('timeout', () => resolve(socket.destroy() === null))
  })
}
