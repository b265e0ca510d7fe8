import { ApiError } from '../runtime/index.ts'

/** Where a page of a list ends: its last entry's place among the newest first. */
export interface PagePosition {
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number
  id: string
}

/** Before every entry there can be. */
export const NEWEST: PagePosition = { createdAtMs: Number.MAX_SAFE_INTEGER, id: '' }

/** The position as text that callers need not look into: base64url of the time, a space and the id. */
export function writeCursor({ createdAtMs, id }: PagePosition): string {
  return Buffer.from(`${createdAtMs} ${id}`).toString('base64url')
}

/** @throws {ApiError} `parameter_invalid` of `after`, for what is no cursor of ours. */
export function readCursor(cursor: string): PagePosition {
  const [, time, id] = /^(\d{1,16}) ([A-Za-z0-9_-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const createdAtMs = Number(time)
  if (id !== undefined && Number.isSafeInteger(createdAtMs)) return { createdAtMs, id }
  throw new ApiError('parameter_invalid', 'after is not the nextCursor of a page; begin again without it.', {
    param: 'after',
  })
}
