import type { Migration } from '../migrate.ts'

/**
 * Sessions of buyers' own pages. What a session has gathered is one JSON value (`state`), guarded by its revision; a
 * payment knows the session that asked for it. What belongs to a preview is marked: `payments.preview` is null for one
 * that moves money.
 */
export const buyerSessions: Migration = {
  id: '0016-buyer-sessions',
  statements: [
    `ALTER TABLE funnel_sessions ADD COLUMN state {text}`,
    `ALTER TABLE funnel_sessions ADD COLUMN revision {int} NOT NULL DEFAULT 1`,
    `ALTER TABLE funnel_sessions ADD COLUMN started_at {int}`,
    // Sessions from before were previews, all of them.
    `ALTER TABLE funnel_sessions ADD COLUMN is_preview {int} NOT NULL DEFAULT 1`,
    `ALTER TABLE orders ADD COLUMN is_preview {int} NOT NULL DEFAULT 0`,
    `ALTER TABLE orders ADD COLUMN buyer {text}`,
    `ALTER TABLE payments ADD COLUMN funnel_session_id {text}`,
    `ALTER TABLE payments ADD COLUMN preview {text}`,
    `ALTER TABLE threeds_sessions ADD COLUMN is_preview {int} NOT NULL DEFAULT 0`,
  ],
}
