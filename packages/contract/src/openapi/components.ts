import type { Json } from './json.ts'

/** What the parts of the document share: each is put here by its first use, and referred to. */
export interface Components {
  schemas: Json
  headers: Json
  examples: Json
}
