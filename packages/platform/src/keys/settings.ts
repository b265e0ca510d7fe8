import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Environment, OperatorError, type Reading, setting, wrongSetting } from '../runtime/index.ts'
import { keyProblem, type KeySetting, readKeySetting } from './master-key.ts'

/** The master keys of a platform. */
export interface KeysConfig {
  /** The master key of cards; `undefined` in `local`, where one is made and kept in `home`. */
  vaultKey: KeySetting | undefined
  /** The master key of all other secrets and of signatures; the same. */
  secretsKey: KeySetting | undefined
}

/** Form and default of both settings, which `keys.md` explains. */
const form = 'base64 of 32 bytes, `file:`, `shares:`, `awskms:`, `gcpkms:` or `pkcs11:`'
const fallback = 'required outside `local`'

export const masterKeyVariables = {
  TILLWRIGHT_VAULT_KEY: setting(z.string().optional(), {
    doc: 'The master key of cards, for processes with the role `vault` alone. See [keys](../security/keys.md).',
    form,
    fallback,
  }),
  TILLWRIGHT_SECRETS_KEY: setting(z.string().optional(), {
    doc: 'The master key of all other secrets and of signatures; another one than that of cards.',
    form,
    fallback,
  }),
}

export function masterKeySettings(
  set: z.output<z.ZodObject<typeof masterKeyVariables>>,
  { attempt }: Reading,
): KeysConfig {
  return {
    vaultKey: attempt(() => keyOf('TILLWRIGHT_VAULT_KEY', set.TILLWRIGHT_VAULT_KEY)),
    secretsKey: attempt(() => keyOf('TILLWRIGHT_SECRETS_KEY', set.TILLWRIGHT_SECRETS_KEY)),
  }
}

function keyOf(name: string, text: string | undefined): KeySetting | undefined {
  if (text === undefined) return undefined
  try {
    return readKeySetting(text)
  } catch (error) {
    throw error instanceof OperatorError ? wrongSetting(name, error.message) : error
  }
}

/** @throws {ConfigError} If a key is missing or weak. */
export function checkKey(name: string, key: KeySetting | undefined, environment: Environment): void {
  if (environment === 'local') return
  if (key === undefined)
    throw wrongSetting(name, 'is required outside "local"; make one with `openssl rand -base64 32` and keep it safe.')
  const problem = key.kind === 'raw' ? keyProblem(key.key) : null
  if (problem !== null) throw wrongSetting(name, problem)
}

/** @throws {ConfigError} If one key would open both cards and secrets. */
export function checkKeysApart({ vaultKey, secretsKey }: KeysConfig): void {
  if (vaultKey === undefined || !isDeepStrictEqual(vaultKey, secretsKey)) return
  throw wrongSetting(
    'TILLWRIGHT_SECRETS_KEY',
    'is the same as TILLWRIGHT_VAULT_KEY, so whoever reads secrets could read cards; make another one.',
  )
}
