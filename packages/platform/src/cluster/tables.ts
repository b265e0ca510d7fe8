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
