/** How the console's client sends one operation of the contract. */
export interface ConsoleOperation {
  method: string
  /** With its parameters in braces. */
  path: string
  /** Whether it takes an `Idempotency-Key`, and so is safe to send again. */
  once?: true
  /** Whether it reads about one store where its query names one. */
  ofStore?: true
  /** Of a list: the query fields by which it can be filtered. */
  filters?: Record<string, FilterField>
}

/** A field by which a list is filtered, and so the control that a reader fills it in with. */
export type FilterField =
  | { type: 'search' | 'time' | 'amount' | 'currency' | 'store' | 'id' | 'text' }
  | { type: 'choice'; values: readonly string[] }
