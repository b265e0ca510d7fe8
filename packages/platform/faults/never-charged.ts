import type { Answer } from './post.ts'

/** Whether a payment has failed because its process died before the processor was asked. The buyer has to pay anew. */
export function neverCharged(answer: Answer | null): boolean {
  return answer?.status === 402 && JSON.parse(answer.body).error.code === 'processing_error'
}
