import { z } from 'zod'
import {
  type AddressSet,
  addressSet,
  type Environment,
  portSchema,
  type Reading,
  setting,
  wrongSetting,
} from '../runtime/index.ts'
import type { BodyLimits } from './bodies/index.ts'

/** How a process takes requests. */
export interface HttpConfig {
  host: string
  port: number
  vaultPort: number
  /** `null` in `local`: requests come directly, over plain HTTP. */
  trustedProxies: AddressSet | null
  /** The header in which proxies hand on the client certificate they have verified, in lower case; `undefined` for none. */
  clientCertHeader: string | undefined
  rateLimits: boolean
  /** How long a process that stops goes on taking requests while it says that it is not ready; 0 in `local`. */
  drainMs: number
  /** How long a client waits for an answer: what a processor has not ended by then goes on behind `processing`. */
  answerMs: number
  bodies: BodyLimits
}

/** A balancer that probes every two seconds has failed a process twice by then. */
const DRAIN_S = 5
/** Balancers and clients that wait for ten seconds still have two for the way. */
const ANSWER_S = 8
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')

export const httpVariables = {
  TILLWRIGHT_HOST: setting(z.string().min(1).default('localhost'), {
    doc: 'The name or address of this machine that is listened on. `local` listens on loopback only.',
  }),
  TILLWRIGHT_PORT: setting(portSchema().default(4400), {
    doc: "The port of the API's origin. `local` takes the next free one if it is in use; a server refuses to start.",
  }),
  TILLWRIGHT_VAULT_PORT: setting(portSchema().default(4401), { doc: "The port of the vault's origin." }),
  TILLWRIGHT_TRUSTED_PROXIES: setting(z.string().optional(), {
    doc: 'The proxies that end HTTPS. Only they are believed about who a client is.',
    form: 'IP addresses and ranges, with commas between them',
    fallback: 'required outside `local`',
  }),
  TILLWRIGHT_CLIENT_CERT_HEADER: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header, such as Client-Cert')
      .optional(),
    {
      doc: 'The header in which the proxies hand on the client certificate that they have verified. See [EMV 3-D Secure](../3-d-secure/production.md).',
      form: 'name of a header',
    },
  ),
  TILLWRIGHT_RATE_LIMITS: setting(onOff.optional(), {
    doc: 'Whether requests are limited. Production refuses `off`.',
    fallback: '`on`, in `local` `off`',
    form: '`on`, `off`',
  }),
  TILLWRIGHT_DRAIN_SECONDS: setting(z.coerce.number().min(0).max(300).optional(), {
    unit: 'seconds',
    doc: 'How long a process that stops goes on taking requests while it says that it is not ready. Twice the time between probes of the balancer.',
    fallback: `${DRAIN_S}, in \`local\` 0`,
  }),
  TILLWRIGHT_ANSWER_SECONDS: setting(z.coerce.number().min(1).max(60).default(ANSWER_S), {
    unit: 'seconds',
    doc: 'How long a client waits for a slow processor, or for the answer to the request that it repeats. Then the payment is answered as `processing` and goes on. Shorter than the time-out of the balancer.',
  }),
  TILLWRIGHT_BODY_MEMORY_MB: setting(z.coerce.number().int().min(48).max(65_536).default(64), {
    unit: 'MB',
    doc: 'What the bodies of all requests may take of the memory together. More are answered with 503.',
  }),
  TILLWRIGHT_BODY_DISK_MB: setting(z.coerce.number().int().min(64).max(1_048_576).default(1_024), {
    unit: 'MB',
    doc: 'What large bodies may take of the disk together while they wait to be read.',
  }),
}

export function httpSettings(
  set: z.output<z.ZodObject<typeof httpVariables>>,
  { environment, attempt }: Reading,
): HttpConfig {
  const isLocal = environment === 'local'
  return {
    host: set.TILLWRIGHT_HOST,
    port: set.TILLWRIGHT_PORT,
    vaultPort: set.TILLWRIGHT_VAULT_PORT,
    trustedProxies: attempt(() => trustedProxies(set.TILLWRIGHT_TRUSTED_PROXIES, environment)) ?? null,
    clientCertHeader: set.TILLWRIGHT_CLIENT_CERT_HEADER?.toLowerCase(),
    rateLimits: set.TILLWRIGHT_RATE_LIMITS ?? !isLocal,
    drainMs: (set.TILLWRIGHT_DRAIN_SECONDS ?? (isLocal ? 0 : DRAIN_S)) * 1_000,
    answerMs: set.TILLWRIGHT_ANSWER_SECONDS * 1_000,
    bodies: { memoryBytes: set.TILLWRIGHT_BODY_MEMORY_MB * 2 ** 20, diskBytes: set.TILLWRIGHT_BODY_DISK_MB * 2 ** 20 },
  }
}

function trustedProxies(list: string | undefined, environment: Environment): AddressSet | null {
  if (environment === 'local') return null
  const entries = (list ?? '').split(/[\s,]+/).filter(Boolean)
  if (entries.length === 0)
    throw wrongSetting(
      'TILLWRIGHT_TRUSTED_PROXIES',
      `"${environment}" is reached over HTTPS only; name the addresses of the proxies that end it, such as "10.0.0.5", or a range such as "10.0.0.0/24".`,
    )
  const set = addressSet(entries)
  if (!('invalid' in set)) return set
  throw wrongSetting(
    'TILLWRIGHT_TRUSTED_PROXIES',
    `'${set.invalid}' is ${set.why}; name an IP address such as "10.0.0.5", or a range such as "10.0.0.0/24".`,
  )
}

type InPlace = HttpConfig & { environment: Environment }

/** @throws {ConfigError} If other machines could reach a local platform. */
export function checkHost({ environment, host }: InPlace): void {
  if (environment !== 'local' || ['localhost', '127.0.0.1', '::1'].includes(host)) return
  throw wrongSetting('TILLWRIGHT_HOST', '"local" speaks plain HTTP and listens on loopback only; use "localhost".')
}

/** @throws {ConfigError} If production is without limits. */
export function checkRateLimits({ environment, rateLimits }: InPlace): void {
  if (environment !== 'production' || rateLimits) return
  throw wrongSetting(
    'TILLWRIGHT_RATE_LIMITS',
    'cannot be "off" in production, where limits stop the testing of stolen cards and the guessing of keys; leave it out or set it to "on".',
  )
}
