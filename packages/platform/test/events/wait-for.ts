import { expect } from 'vitest'
import type { TestEvents } from './open-events.ts'

const patience = { timeout: 60_000, interval: 5 }

/** Resolves when every delivery of the event has been tried so often, and that is recorded. */
export async function tried(platform: TestEvents, eventId: string, attempts: number): Promise<void> {
  const all = async () => (await platform.deliveries(eventId)).every((row) => row['attempts'] === attempts)
  await expect.poll(all, patience).toBe(true)
}

/** Resolves when every endpoint of the event has acknowledged it. */
export async function processed(platform: TestEvents, eventId: string): Promise<void> {
  await expect.poll(async () => (await platform.event(eventId))?.['processed_at'] ?? null, patience).not.toBeNull()
}
