import { hookKind, type HookFailureRule, type OrderHook } from '@tillwright/contract'
import type { SealedSecret } from '../events/index.ts'
import { defineTable, flag, int, json, oneOf, text } from '../storage/index.ts'

export const hooksTable = defineTable('hooks', {
  account_id: text,
  id: text,
  store_id: text,
  kind: oneOf(hookKind.options),
  url: text,
  timeout_ms: int,
  on_failure: oneOf<HookFailureRule>({ continue: true, refuse: true }),
  active: flag,
  secrets: json<SealedSecret[]>(),
  created_at: int,
  updated_at: int,
})

/** Recent answers of hooks, by the id of the question. */
export const hookAnswersTable = defineTable('hook_answers', {
  account_id: text,
  id: text,
  hook_id: text,
  asked_at: int,
  /** Until then the answer holds for the same question; 0 for one that holds once. */
  usable_until: int,
  record: json<OrderHook>(),
})
