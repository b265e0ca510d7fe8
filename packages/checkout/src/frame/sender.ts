import type { TokenAnswer, TokenRequest } from './token-request.ts'

/** What the document's second script brings to its first one: all that is needed only once a card has been typed. */
export interface Sender {
  /** How far the vault's clock is ahead of this device's, in milliseconds: what the vault checks is in its own time. */
  aheadMs: number
  /** Encrypts a card and asks the vault for its token. */
  send: (request: TokenRequest) => Promise<TokenAnswer>
}

declare global {
  interface Window {
    /** Set by the first script, and called by the second one as soon as the document is whole. */
    takeSender: (sender: Sender) => void
  }
}

/** Waits for the document's second script. */
export function awaitSender(): Promise<Sender> {
  return new Promise((resolve) => {
    window.takeSender = resolve
  })
}
