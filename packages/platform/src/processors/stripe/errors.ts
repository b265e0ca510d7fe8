import { Stripe } from 'stripe'

const { StripeError, StripeAPIError, StripeConnectionError, StripeIdempotencyError } = Stripe.errors

/** Whether Stripe may have done what it was asked for: there was no answer, or one that says nothing. */
export function isUncertain(error: Stripe.errors.StripeError): boolean {
  return error instanceof StripeConnectionError || error instanceof StripeAPIError
}

/** Whether the idempotency key is taken, by a different request or one in progress. */
export function isTaken(error: Stripe.errors.StripeError): boolean {
  return error instanceof StripeIdempotencyError || error.statusCode === 409
}

/** Waits for an answer that decides something. Whatever goes wrong leaves it undecided. */
export async function ask<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw noAnswer(error)
  }
}

/** The error for the log. Stripe's own carry the whole answer; what is said of it here are codes alone. */
export function noAnswer(error: unknown): unknown {
  return error instanceof StripeError ? new Error(`Stripe gave no conclusive answer: ${describe(error)}.`) : error
}

/** An error of Stripe's by its codes, for texts that people read. */
export function describe({ type, code, statusCode, requestId }: Stripe.errors.StripeError): string {
  return [type, code, statusCode, requestId].filter((part) => part !== undefined).join(' ')
}
