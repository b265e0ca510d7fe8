import { accessSync, constants } from 'node:fs'
import { nearestName, wrongSetting } from '../../runtime/index.ts'

/** A server that a database URL names. */
export interface Host {
  /** For people: host and port, without user and password. */
  name: string
  /** For the driver: the URL with this host alone. Contains the password. */
  url: string
  /**
   * Whether a login is bound to its TLS connection (`channel_binding` of libpq): `prefer` where the server offers
   * SCRAM-SHA-256-PLUS, `require` or there is no login; `disable` unless the URL says so.
   */
  channelBinding: (typeof CHANNEL_BINDINGS)[number]
  /** The most that a connection may take, in milliseconds (`connect_timeout`); `Infinity` unless the URL says so. */
  connectTimeoutMs: number
}

/** Parts of a database URL. */
export interface DatabaseUrl {
  /** The environment variable that holds it, for messages. */
  setting: string
  hosts: readonly Host[]
  /** For people: hosts and database, without user and password. */
  place: string
}

const FORM = /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/
const HOST = /^(?<host>\[[^\]]+\]|[^:[\]]*)(?::(?<port>\d{1,5}))?$/

/** Values of `target_session_attrs`. Writers ask for a primary and replicas for none, whichever of them is written. */
const SESSION_ATTRS = {
  primary: ['any', 'read-write', 'primary'],
  replica: ['any', 'read-only', 'standby', 'prefer-standby'],
} as const

const CHANNEL_BINDINGS = ['disable', 'prefer', 'require'] as const

/** Values of some parameters. Sources: libpq, and pg for `no-verify`. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
  channel_binding: CHANNEL_BINDINGS,
}
const FILES = ['sslcert', 'sslkey', 'sslrootcert']
const OTHERS = ['host', 'port', 'user', 'password', 'options', 'application_name', 'client_encoding', 'ssl']

/** Read here, and not by the driver. */
const OURS = ['target_session_attrs', 'channel_binding', 'connect_timeout']

/** Parameters of a URL that the driver and we read. Another one would be ignored, and a connection stay unencrypted for it. */
const PARAMETERS = [...new Set([...OTHERS, ...OURS, 'uselibpqcompat', ...Object.keys(VALUES), ...FILES])]

/**
 * Reads a URL as libpq does: one host or several, separated by commas, each with a port or without.
 *
 * @param options `setting`: the variable that held it. `role`: whether its servers are written to.
 * @throws {ConfigError} With the setting, the rule and an example, never with the URL, which holds a password.
 */
export function readDatabaseUrl(
  url: string,
  { setting, role }: { setting: string; role: keyof typeof SESSION_ATTRS },
): DatabaseUrl {
  const refuse = (rule: string) => wrongSetting(setting, rule)
  const { authority, path = '', query = '' } = FORM.exec(url)?.groups ?? {}
  if (authority === undefined) throw refuse('must look like postgres://user:password@host:5432/database.')
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, at + 1)
  const params = new URLSearchParams(query)
  const problem = problemOf(params)
  if (problem !== null) throw refuse(problem)
  const attrs = params.get('target_session_attrs') ?? 'any'
  if (!SESSION_ATTRS[role].some((known) => known === attrs)) {
    throw refuse(`target_session_attrs must be one of ${SESSION_ATTRS[role].join(', ')}.`)
  }
  const channelBinding = CHANNEL_BINDINGS.find((known) => known === params.get('channel_binding')) ?? 'disable'
  const connectTimeoutMs = Number(params.get('connect_timeout') ?? 0) * 1_000 || Infinity // 0 is none, as in libpq
  for (const name of OURS) params.delete(name)
  if (params.get('host')?.includes(',') === true) {
    throw refuse('several hosts belong before the database, such as postgres://user@host1,host2:5433/database.')
  }
  const rest = params.size === 0 ? '' : `?${params.toString()}`
  const hosts = authority.slice(at + 1).split(',')
  const read = hosts.map((written) => {
    const { host, port } = HOST.exec(written)?.groups ?? {}
    if (host === undefined || (host === '' && hosts.length > 1)) {
      throw refuse('each host is a name or an address, [in brackets] if it is IPv6, and may end with :port.')
    }
    const shown = host === '' ? (params.get('host') ?? 'localhost') : host
    const address = port === undefined ? host : `${host}:${port}`
    const name = `${shown}:${port ?? params.get('port') ?? 5432}`
    return { name, url: `postgres://${user}${address}${path}${rest}`, channelBinding, connectTimeoutMs }
  })
  const database = decodeURIComponent(path.slice(1)) || 'of the user’s name'
  return { setting, hosts: read, place: `${read.map(({ name }) => name).join(', ')}, database ${database}` }
}

/** The rule that a parameter breaks; its value is not repeated, because it may be a password. */
function problemOf(params: URLSearchParams): string | null {
  for (const [name, value] of params) {
    if (!PARAMETERS.includes(name)) {
      const { name: meant, letters } = nearestName(name, PARAMETERS)
      const instead = letters <= name.length / 2 ? `write ${meant}, if that is meant, or leave it out` : 'leave it out'
      return `nothing reads the parameter ${name} of the address; ${instead}.`
    }
    const values = VALUES[name]
    if (values?.includes(value) === false) return `${name} must be one of ${values.join(', ')}.`
    if (name === 'connect_timeout' && !/^\d{1,6}$/.test(value))
      return 'connect_timeout must be whole seconds, such as 10.'
    const code = FILES.includes(name) ? whyUnreadable(value) : null
    if (code !== null) return `${name}: the file ${value} cannot be read (${code}); name one that this user may read.`
  }
  return null
}

function whyUnreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return String(Object(error).code)
  }
}
