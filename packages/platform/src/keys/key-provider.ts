import { createHash } from 'node:crypto'
import { ConfigError, OperatorError } from '../runtime/index.ts'

/** The two rings of keys: the vault's own, and the one for all other secrets and for signatures. */
export const rings = ['cards', 'secrets'] as const
export type Ring = (typeof rings)[number]

/** A master key, wherever it is kept. It encrypts data keys and nothing else. */
export interface KeyProvider {
  /** Identifies the key in the database: 8 hex digits, which do not tell the key. */
  readonly id: string
  /** For people: where the key is kept. Never the key. */
  readonly place: string
  /** @param bound The identity of the data key, such as `cards/3`: it unwraps only with the same. */
  wrap(key: Uint8Array, bound: string): Promise<string>
  /** @throws {Error} If it was wrapped by another key or as something else, or was altered. */
  unwrap(wrapped: string, bound: string): Promise<Uint8Array>
}

/** How long a service or device that keeps a master key may take to answer. */
const ANSWER_WITHIN_MS = 10_000

/** The id of a key that is known by its name. */
export function idOfName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8)
}

/** The keeper of a master key refuses, or does not answer: no setting has to be wrong for that. */
export class KeeperFailed extends OperatorError {
  override readonly name = 'KeeperFailed'
}

/**
 * Asks the keeper of a master key.
 *
 * @throws {KeeperFailed} If it refuses or does not answer within ten seconds.
 */
export async function asked<Answer>(place: string, ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error(`no answer within ${ANSWER_WITHIN_MS / 1_000} s`))
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([ask(signal), tooLate])
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new KeeperFailed(`${place} did not do its part (${why}); check that it can be reached and allows this use.`, {
      cause: error,
    })
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/**
 * Loads a library that only those install who keep their keys with it.
 *
 * @throws {ConfigError} If it is not installed.
 */
export async function installed<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    throw new ConfigError(`needs the package ${name}; run "npm install ${name}" next to the platform.`, {
      cause: error,
    })
  }
}
