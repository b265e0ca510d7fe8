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
    const answer = status === null ? 'no answer' : `status ${status}`
    super(`${processor} gave no conclusive answer: ${[answer, ...codes].join(', ')}.`, options)
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
    return [`status ${this.status ?? ''}`, ...this.codes].join(', ')
  }
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
