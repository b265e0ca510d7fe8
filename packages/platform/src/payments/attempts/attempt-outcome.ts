import type { AttemptOutcomeName, PaymentAttempt } from '@tillwright/contract'
import type { AuthorisationOutcome } from '../processors/driver.ts'

/** `unknown`: the processor may or may not have taken the money. Nothing else may be tried before it has been asked. */
export type AttemptOutcome = AuthorisationOutcome | { outcome: 'unknown' }

/** The attempt as it is once its processor has answered. An unknown outcome leaves it under way. */
export function withOutcome(attempt: PaymentAttempt, outcome: AttemptOutcome, nowMs: number): PaymentAttempt {
  const known = { ...attempt, outcome: outcomeName(outcome), finishedAt: new Date(nowMs).toISOString() }
  switch (outcome.outcome) {
    case 'succeeded':
    case 'authorized':
      return { ...known, status: 'succeeded' }
    case 'declined':
      return { ...known, status: 'declined', declineCode: outcome.declineCode, advice: outcome.advice }
    case 'threeds_required':
      return { ...known, status: 'declined', declineCode: 'authentication_required' }
    case 'refused_before_acceptance':
      return { ...known, status: 'failed' }
    case 'unknown':
      return { ...known, finishedAt: null }
  }
}

/** What a processor's answer is called in the trace of a payment. */
export function outcomeName(outcome: AttemptOutcome): AttemptOutcomeName {
  switch (outcome.outcome) {
    case 'succeeded':
    case 'authorized':
    case 'unknown':
      return outcome.outcome
    case 'threeds_required':
      return 'authentication_required'
    case 'refused_before_acceptance':
      return 'technical_failure'
    case 'declined':
      if (outcome.declineCode === 'authentication_required') return 'authentication_required'
      return outcome.kind === 'soft' ? 'soft_decline' : 'hard_decline'
  }
}

/** What the processor calls the attempt, as far as it has said so. */
export function referenceOf(outcome: AttemptOutcome): string | null {
  return 'reference' in outcome ? outcome.reference : null
}
