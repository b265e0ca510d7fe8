import { lookup } from 'node:dns/promises'
import { readFile, statfs } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { dirname, resolve as absolute } from 'node:path'
import { connect, type PeerCertificate } from 'node:tls'
import type { Config } from '@tillwright/platform'
import { checkNode, fail, type Finding, ok, warn } from './checks.ts'
import type { Diagnosis } from './doctor.ts'

/**
 * Checks what production rests on, with the settings of the environment: run it where the platform runs, with the platform's
 * settings, while it runs. Changes nothing but one file in the store of files, which is removed again.
 */
export async function productionDoctor(env: NodeJS.ProcessEnv = process.env): Promise<Diagnosis> {
  const findings = [checkNode(process.versions.node), ...(await ofSettings(env))]
  return { healthy: findings.every(({ level }) => level !== 'fail'), findings }
}

async function ofSettings(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { readConfig, ConfigError } = await import('@tillwright/platform')
  try {
    // Before anything else: what is right for "local" is wrong here.
    const config = readConfig({ ...env, TILLWRIGHT_ENVIRONMENT: 'production' })
    const machine = await ofMachine(config)
    const { findings, domains } = await ofPlatform(config)
    return [...settingsFindings(env), ...machine, ...findings, ...(await checkAddresses(config, domains))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => fail(line, 'correct the setting'))
  }
}

/** Keys that come as text are in the environment of every process of this user, and in whatever starts it. */
const keySettings = ['TILLWRIGHT_VAULT_KEY', 'TILLWRIGHT_SECRETS_KEY'] as const
/** More addresses than a proxy's own network has. */
const WIDE_PREFIX_BITS = 16

function settingsFindings(env: NodeJS.ProcessEnv): Finding[] {
  const environment = env['TILLWRIGHT_ENVIRONMENT']
  const wide = (env['TILLWRIGHT_TRUSTED_PROXIES'] ?? '')
    .split(',')
    .find((entry) => Number(entry.split('/')[1] ?? 128) < WIDE_PREFIX_BITS)
  return [
    environment === 'production'
      ? ok('TILLWRIGHT_ENVIRONMENT: is production, and all settings are valid')
      : fail(`TILLWRIGHT_ENVIRONMENT: is ${environment ?? 'not set'}`, 'set it to "production"'),
    ...(wide === undefined
      ? []
      : [
          warn(
            `TILLWRIGHT_TRUSTED_PROXIES: ${wide.trim()} trusts more machines than proxies have`,
            'name the proxies, or their own network',
          ),
        ]),
    ...(env['TILLWRIGHT_CHALLENGE_VERIFY_URL'] === undefined
      ? [
          warn(
            'TILLWRIGHT_CHALLENGE_VERIFY_URL: is not set, so that forms which test cards are refused instead of challenged',
            'set it to a captcha provider',
          ),
        ]
      : []),
    ...keySettings
      .filter((name) => /^[A-Za-z0-9+/=]+$/.test(env[name] ?? ''))
      .map((name) =>
        warn(
          `${name}: is in the environment as text`,
          'let a key service or a file that only the platform reads hold it, and keep a copy offline',
        ),
      ),
  ]
}

const GIGABYTE = 2 ** 30
const SPACE_WARN_SHARE = 0.1
const DESCRIPTORS_FAIL = 1_024
const DESCRIPTORS_WARN = 8_192

async function ofMachine(config: Config): Promise<Finding[]> {
  return [await checkSpace(config.home), ...(await checkDescriptors())]
}

async function checkSpace(home: string): Promise<Finding> {
  const folder = absolute(home)
  const { bavail, blocks, bsize } = await statfs(folder).catch(() => statfs(dirname(folder)))
  const free = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GiB`
  const what = `TILLWRIGHT_HOME: ${free} are free at ${folder}`
  const fix = 'make room, or move TILLWRIGHT_HOME'
  if (bavail * bsize < GIGABYTE) return fail(what, fix)
  return bavail / blocks < SPACE_WARN_SHARE ? warn(what, fix) : ok(what)
}

/** Each connection takes one. */
async function checkDescriptors(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (soft === '') return []
  const what = `this process may open ${soft} files and connections`
  const fix = 'raise the limit: LimitNOFILE= of systemd, ulimits of a container'
  if (Number(soft) <= DESCRIPTORS_FAIL) return [fail(what, fix)]
  return [Number(soft) < DESCRIPTORS_WARN ? warn(what, fix) : ok(what)]
}

/** Findings of the platform's own database; one that cannot be opened is a finding itself. */
async function ofPlatform(config: Config): Promise<{ findings: Finding[]; domains: string[] }> {
  const { openOperator, OperatorError } = await import('@tillwright/platform')
  try {
    const { production, close } = await openOperator(config)
    try {
      return { findings: await production.findings(), domains: await production.domains() }
    } finally {
      await close()
    }
  } catch (error) {
    const place = config.databaseUrl === undefined ? 'TILLWRIGHT_HOME' : 'DATABASE_URL'
    if (!(error instanceof OperatorError)) throw error
    return { findings: [fail(`${place}: the database cannot be used`, error.message)], domains: [] }
  }
}

const ANSWER_MS = 5_000
const DAY_MS = 86_400_000
const CERTIFICATE_WARN_DAYS = 21
const CERTIFICATE_FAIL_DAYS = 3

/** Checks the public addresses as a buyer's browser would reach them: names, certificates, proxies, what must not answer. */
async function checkAddresses(config: Config, domains: readonly string[]): Promise<Finding[]> {
  const { apiUrl, vaultUrl, pluginsUrl } = config
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
    checkMetrics(apiUrl),
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
    const socket = connect({ host: reachedAt(host), port, servername: host, timeout: ANSWER_MS }, () => {
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

async function checkMetrics(apiUrl: string): Promise<Finding> {
  const answer = await ask(new URL('/metrics', apiUrl).href)
  if (typeof answer !== 'string' && answer.status === 200 && /^# (?:HELP|TYPE) /m.test(answer.text)) {
    return fail(
      'the metrics are public at TILLWRIGHT_API_URL',
      'let the proxy refuse /metrics, and keep TILLWRIGHT_METRICS_PORT inside',
    )
  }
  return ok('the metrics are not public')
}

/** The proxy alone may reach the platform's own ports: there is no HTTPS on them. */
async function checkOwnPort(url: string, { port, setting }: { port: number; setting: string }): Promise<Finding> {
  const { hostname, port: publicPort } = new URL(url)
  if (port === 0 || Number(publicPort || 443) === port) return ok(`${setting}: is not public by itself`)
  const { address } = await lookup(hostname).catch(() => ({ address: '' }))
  const isHere = address === '' || address.startsWith('127.') || address === '::1'
  if (isHere || !(await accepts(address, port))) return ok(`${setting}: is not public by itself`)
  return warn(`${setting}: port ${port} answers at ${hostname} without HTTPS`, 'let a firewall admit the proxies alone')
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host, port, timeout: ANSWER_MS }, () => resolve(socket.destroy() !== null))
    socket.once('error', () => resolve(false))
    socket.once('timeout', () => resolve(socket.destroy() === null))
  })
}
