/** The text of messages without the proofs of authentications, in messages that are text themselves too. */
export function withoutProof(text: string): string {
  return text.replaceAll(/(authenticationValue\\?"\s*:\s*\\?")[^"\\]*/g, '$1(left out)')
}
