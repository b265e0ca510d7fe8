import { defineTable, int, json, text } from '../storage/index.ts'

export const processesTable = defineTable('processes', {
  id: text,
  name: text,
  roles: json<string[]>(),
  version: text,
  schema_number: int,
  beats: int,
  clock_offset: int,
  started_at: int,
  heartbeat_at: int,
})

export const sharedTimeTable = defineTable('shared_time', { id: int, at: int, ahead: int })

/** The condition that no living process holds a row: its holder has died or left, or it has none. */
export function holderIsGone(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = ${column})`
}
