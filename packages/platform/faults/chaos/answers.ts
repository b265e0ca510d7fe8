import type { Answer } from '../post.ts'

/** Any other answer is asked for again, as the platform's own client does. */
export function isFinal({ status, body }: Answer): boolean {
  return status < 500 && status !== 429 && !(status === 409 && body.includes('idempotency_key_in_use'))
}

/** What was asked and how it was answered, in a few words. */
export function described(what: string, { status, body }: Answer): string {
  const [, code = ''] = /"code":"(\w+)"/.exec(body) ?? []
  return [what, status, code].filter(Boolean).join(' ')
}

/** The payment that an error names. */
export function paymentIdIn({ body }: Answer): string | null {
  const { error }: { error?: { paymentId?: string } } = JSON.parse(body)
  return error?.paymentId ?? null
}
