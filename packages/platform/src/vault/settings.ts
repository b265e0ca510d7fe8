import { z } from 'zod'
import { type Environment, type Reading, setting, wrongSetting } from '../runtime/index.ts'

/** How cards are taken. */
export interface VaultConfig {
  /** After what time card forms are given a new key to encrypt to. */
  jweKeyAgeMs: number
  /** The captcha provider for forms that send many cards; `undefined` for no challenges. */
  challenge: { url: string; secret: string } | undefined
}

const DAY_MS = 24 * 60 * 60 * 1_000

export const vaultVariables = {
  TILLWRIGHT_FORM_KEY_DAYS: setting(z.coerce.number().int().min(1).max(3_650).default(90), {
    unit: 'days',
    doc: 'After how long card forms encrypt to a new key. Former keys open what is under way and are deleted.',
  }),
  TILLWRIGHT_CHALLENGE_VERIFY_URL: setting(z.url({ protocol: /^https?$/ }).optional(), {
    doc: 'Where the answers to captchas are verified, for forms that send many cards; needs `TILLWRIGHT_CHALLENGE_SECRET`.',
    fallback: 'no captchas',
  }),
  TILLWRIGHT_CHALLENGE_SECRET: setting(z.string().min(1).optional(), {
    doc: "The platform's secret at the provider of captchas.",
    fallback: 'no captchas',
  }),
}

export function vaultSettings(set: z.output<z.ZodObject<typeof vaultVariables>>, { attempt }: Reading): VaultConfig {
  return {
    jweKeyAgeMs: set.TILLWRIGHT_FORM_KEY_DAYS * DAY_MS,
    challenge: attempt(() => challengeOf(set.TILLWRIGHT_CHALLENGE_VERIFY_URL, set.TILLWRIGHT_CHALLENGE_SECRET)),
  }
}

function challengeOf(url: string | undefined, secret: string | undefined): VaultConfig['challenge'] {
  if (url !== undefined && secret !== undefined) return { url, secret }
  if (url === undefined && secret === undefined) return undefined
  const [has, lacks] = url === undefined ? ['SECRET', 'VERIFY_URL'] : ['VERIFY_URL', 'SECRET']
  throw wrongSetting(`TILLWRIGHT_CHALLENGE_${lacks}`, `is required with TILLWRIGHT_CHALLENGE_${has}.`)
}

/** @throws {ConfigError} If the secret would leave in clear text. */
export function checkChallenge({ challenge, environment }: VaultConfig & { environment: Environment }): void {
  if (challenge === undefined || environment === 'local' || challenge.url.startsWith('https://')) return
  throw wrongSetting('TILLWRIGHT_CHALLENGE_VERIFY_URL', 'must be an https:// address; the secret is sent there.')
}
