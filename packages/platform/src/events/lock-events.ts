/**
 * Whoever changes deliveries in a way that decides whether an event is processed holds its row first, on PostgreSQL;
 * SQLite's units run one after another anyway.
 */
export const lockEvent = 'SELECT id FROM events WHERE account_id = ? AND id = ? FOR UPDATE'

/** The same of all events between two ids, both included. */
export const lockEventsBetween = `SELECT id FROM events WHERE account_id = ? AND id >= ? AND id <= ? ORDER BY id FOR UPDATE`
