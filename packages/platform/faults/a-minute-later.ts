import { bankSimulator } from '@tillwright/bank-simulator'
import { onTestFinished } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type LocalPlatform, startLocal } from '../src/local/start-local.ts'
import { type Clock, systemClock } from '../src/runtime/clock.ts'
import { type Place, settingsOf } from './place.ts'

/** Longer than the leases that a dead process leaves behind. */
const LATER_MS = 61_000

/**
 * Starts a platform at a place, in this process and by a clock that is a minute ahead: whatever dead processes were at
 * work on is given back. It ends with the test, or when stopped.
 */
export async function startMinuteLater(place: Place): Promise<LocalPlatform> {
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + LATER_MS,
    until: (timeMs, signal) => systemClock.until(timeMs - LATER_MS, signal),
  }
  const config = readConfig({ ...settingsOf(place), TILLWRIGHT_LOG_LEVEL: 'silent' })
  const platform = await startLocal(config, 'http://localhost:4410', { clock, simulator: bankSimulator })
  onTestFinished(() => platform.stop())
  return platform
}
