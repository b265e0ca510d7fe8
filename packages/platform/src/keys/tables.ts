import { defineTable, int, nullable, oneOf, text } from '../storage/index.ts'
import { rings } from './key-provider.ts'

/** Version 0 is the ring's key of MACs, which is never replaced. */
export const dataKeysTable = defineTable('data_keys', {
  ring: oneOf(rings),
  version: int,
  state: oneOf(['live', 'retired', 'destroyed']),
  created_at: int,
  active_at: int,
  retired_at: nullable(int),
})

/** A data key as a master key has encrypted it; while the master key is being replaced, there are two of each. */
export const dataKeyWrapsTable = defineTable('data_key_wraps', {
  ring: oneOf(rings),
  version: int,
  master_key_id: text,
  master_key: text,
  wrapped: text,
  created_at: int,
})

/** How far the rows of a table have been sealed again under a data key. */
export const resealsTable = defineTable('reseals', {
  ring: oneOf(rings),
  place: text,
  version: int,
  pass: int,
  account_cursor: text,
  id_cursor: text,
  resealed: int,
  done_at: nullable(int),
})

/** How often each key was used, of all processes together. */
export const keyUsesTable = defineTable('key_uses', {
  ring: oneOf(rings),
  version: int,
  purpose: text,
  operation: text,
  total: int,
  last_used_at: int,
})
