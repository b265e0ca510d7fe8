declare module 'virtual:operations' {
  import type { ConsoleOperation } from './api/operations.ts'
  /** Group -> operation; made from the contract when the console is built. */
  export const operations: Readonly<Record<string, Readonly<Record<string, ConsoleOperation>>>>
}
declare module 'virtual:currencies' {
  /** Upper-case ISO 4217 codes: the currencies that the platform takes. */
  export const currencies: readonly string[]
}
declare module 'virtual:names' {
  /** Names of the contract that pages offer to choose from; `testTokens` each with its effect on a payment. */
  export const names: {
    readonly eventTypes: readonly string[]
    /** The permissions that a key can have. */
    readonly scopes: readonly string[]
    readonly testTokens: readonly (readonly [token: string, effect: string])[]
  }
}
declare module 'virtual:tokens.css'
