import type { SecretCheck } from './processor-driver.ts'

/** A processor's refusal of a request. */
export interface Said {
  /** The HTTP status; `null` if there was no answer. */
  status: number | null
  /** The processor's own codes, most specific first. */
  codes: readonly string[]
}

/**
 * Thrown if a processor refuses a request or does not answer. Has codes only, because an answer may repeat card data.
 */
export abstract class ProcessorError extends Error implements Said {
  readonly status: number | null
  readonly codes: readonly string[]

  /** @param processor Its title, such as `Stripe`. */
  constructor(processor: string, { status, codes }: Said, options?: ErrorOptions) {
    super(`${processor} gave no conclusive answer: ${described({ status, codes })}.`, options)
    this.status = status
    this.codes = codes
  }

  /** Whether the processor may have executed the request all the same. */
  abstract get isUncertain(): boolean

  has(...codes: string[]): boolean {
    return codes.some((code) => this.codes.includes(code))
  }

  /** The status and codes as text. */
  describe(): string {
    return described(this)
  }
}

function described({ status, codes }: Said): string {
  return [status === null ? 'no answer' : `status ${status}`, ...codes].join(', ')
}

/**
 * Returns an error after which nothing was executed.
 *
 * @throws Any other error: the outcome of the request is unknown.
 */
export function refusalOf(error: unknown): ProcessorError {
  if (error instanceof ProcessorError && !error.isUncertain) return error
  throw error
}

const TOO_MANY = 429

/** What an answer says of the secret that was sent for it. @throws Whatever is no answer of the processor's. */
export async function secretCheckOf(answer: Promise<unknown>): Promise<SecretCheck> {
  try {
    await answer
    return { outcome: 'accepted', reason: null }
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error
    const isOpen = error.isUncertain || error.status === TOO_MANY
    return { outcome: isOpen ? 'no_answer' : 'refused', reason: error.describe() }
  }
}
