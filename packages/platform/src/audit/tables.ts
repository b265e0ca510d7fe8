import type { Actor } from '../request-context.ts'
import { defineTable, int, json, nullable, oneOf, text } from '../storage/index.ts'

/** A resource before and after a change. `before` is absent where the resource was created or is not known. */
export interface Changes {
  before?: unknown
  after?: unknown
}

/** An entry and its MAC, as a seal lists it. */
export type SealedEntry = readonly [id: string, mac: string]

const actorKinds: Readonly<Record<Actor['kind'], true>> = {
  key: true,
  member: true,
  session: true,
  operator: true,
  worker: true,
}

/** `erased_by`: the entry that records why `changes` is gone. */
export const auditEntriesTable = defineTable('audit_entries', {
  account_id: text,
  id: text,
  actor_kind: oneOf(actorKinds),
  actor_id: text,
  actor_name: nullable(text),
  address: nullable(text),
  user_agent: nullable(text),
  operation: text,
  resource_type: nullable(text),
  resource_id: nullable(text),
  status: nullable(int),
  request_id: nullable(text),
  changes: nullable(json<Changes>()),
  changes_mac: text,
  mac: text,
  erased_by: nullable(text),
  created_at: int,
})

/** Entries of an account that were committed together and wait for their seal: the first one's id, how many, and which. */
export const auditUnsealedTable = defineTable('audit_unsealed', {
  account_id: text,
  id: text,
  total: int,
  entries: json<SealedEntry[]>(),
})

export const auditSealsTable = defineTable('audit_seals', {
  account_id: text,
  sequence: int,
  entries: json<SealedEntry[]>(),
  previous: text,
  hash: text,
  mac: text,
  created_at: int,
})

export const auditChainsTable = defineTable('audit_chains', {
  account_id: text,
  pruned_sequence: int,
  pruned_hash: text,
  head_sequence: int,
  head_hash: text,
  mac: text,
  updated_at: int,
})
