/**
 * The condition under which an endpoint, as `w`, wants an event, as `e`: the same as when the event was emitted. It is
 * looked at again before each try and before a replay.
 */
export const wantsEvent = `w.account_id = e.account_id AND w.enabled = 1 AND w.drafts >= e.draft
  AND (w.store_id IS NULL OR w.store_id = e.store_id)
  AND (w.event_types = '*' OR w.event_types <> replace(w.event_types, '"' || e.event_type || '"', ''))`
