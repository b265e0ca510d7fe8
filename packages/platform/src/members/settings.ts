import { z } from 'zod'
import { type Environment, type Reading, setting, wrongSetting } from '../runtime/index.ts'

/** The provider that members can sign in with, by OpenID Connect. */
export interface OpenIdConfig {
  /** Such as `https://login.company.example`; its metadata is found below it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Text of the button. */
  name: string
}

/** How people sign in. */
export interface MembersConfig {
  /** `undefined`: passkeys and recovery codes alone. */
  openId: OpenIdConfig | undefined
  /** How long a session lasts without a request, in milliseconds. */
  memberIdleMs: number
}

export const memberVariables = {
  TILLWRIGHT_OPENID_ISSUER: setting(z.url({ protocol: /^https?$/ }).optional(), {
    doc: 'The OpenID Connect provider that members can sign in with. See [Members](../security/members.md).',
    fallback: 'passkeys and recovery codes alone',
  }),
  TILLWRIGHT_OPENID_CLIENT_ID: setting(z.string().min(1).optional(), {
    doc: "The platform's id at the provider.",
    fallback: 'required with an issuer',
  }),
  TILLWRIGHT_OPENID_CLIENT_SECRET: setting(z.string().min(1).optional(), {
    doc: "The platform's secret at the provider.",
    fallback: 'required with an issuer',
  }),
  TILLWRIGHT_OPENID_NAME: setting(
    z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N} .,'()-]{0,59}$/u, 'must be up to 60 letters, digits and spaces')
      .optional(),
    {
      doc: 'What the button on the sign-in page calls the provider.',
      fallback: 'the host of the issuer',
      form: 'text',
    },
  ),
  TILLWRIGHT_MEMBER_IDLE_MINUTES: setting(z.coerce.number().int().min(5).max(720).default(120), {
    unit: 'minutes',
    doc: 'How long a member stays signed in to the console without doing anything. PCI DSS 8.2.8 asks for 15.',
  }),
}

const MINUTE_MS = 60_000

type Variables = z.output<z.ZodObject<typeof memberVariables>>

export function memberSettings(set: Variables, { environment, attempt }: Reading): MembersConfig {
  return {
    openId: attempt(() => openIdOf(set, environment)),
    memberIdleMs: set.TILLWRIGHT_MEMBER_IDLE_MINUTES * MINUTE_MS,
  }
}

function openIdOf(set: Variables, environment: Environment): OpenIdConfig | undefined {
  const { TILLWRIGHT_OPENID_ISSUER: issuer, TILLWRIGHT_OPENID_NAME: name } = set
  const { TILLWRIGHT_OPENID_CLIENT_ID: clientId, TILLWRIGHT_OPENID_CLIENT_SECRET: clientSecret } = set
  if (issuer === undefined) {
    if (clientId === undefined && clientSecret === undefined) return undefined
    throw wrongSetting('TILLWRIGHT_OPENID_ISSUER', 'is required with the other settings of OpenID Connect.')
  }
  const why = "is required with TILLWRIGHT_OPENID_ISSUER; register the platform as a client of the provider's."
  if (clientId === undefined) throw wrongSetting('TILLWRIGHT_OPENID_CLIENT_ID', why)
  if (clientSecret === undefined) throw wrongSetting('TILLWRIGHT_OPENID_CLIENT_SECRET', why)
  const { protocol, hostname, username, search, hash } = new URL(issuer)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(environment === 'local' && isLoopback))
    throw wrongSetting(
      'TILLWRIGHT_OPENID_ISSUER',
      'must be an https:// address; whoever is on the way could sign in as anyone.',
    )
  if (username !== '' || search !== '' || hash !== '')
    throw wrongSetting('TILLWRIGHT_OPENID_ISSUER', 'must be an address without a user, a query and a fragment.')
  return { issuer, clientId, clientSecret, name: name ?? hostname }
}
