/** What a processor has said instead of an answer. */
export interface Said {
  /** Of HTTP; `null` where there was no answer at all. */
  status: number | null
  /** The processor's own codes, the most particular first. */
  codes: readonly string[]
}

/** A processor has refused a request, or has not answered. It carries codes alone: answers may repeat what was sent. */
export abstract class ProcessorError extends Error implements Said {
  readonly status: number | null
  readonly codes: readonly string[]

  /** @param processor As texts have it, such as `Stripe`. */
  constructor(processor: string, { status, codes }: Said, options?: ErrorOptions) {
    const answer = status === null ? 'no answer' : `status ${status}`
    super(`${processor} gave no answer that settles it: ${[answer, ...codes].join(', ')}.`, options)
    this.status = status
    this.codes = codes
  }

  /** Whether the processor may have done what it was asked for. */
  abstract get isUncertain(): boolean

  has(...codes: string[]): boolean {
    return codes.some((code) => this.codes.includes(code))
  }

  /** Its status and codes, for texts that people read. */
  describe(): string {
    return [`status ${this.status ?? ''}`, ...this.codes].join(', ')
  }
}

/**
 * An error by which nothing was done.
 *
 * @throws Any other error: what came of the request is not known then.
 */
export function refusalOf(error: unknown): ProcessorError {
  if (error instanceof ProcessorError && !error.isUncertain) return error
  throw error
}
