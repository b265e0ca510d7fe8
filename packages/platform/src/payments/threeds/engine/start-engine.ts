import type { Parts } from '../../../call.ts'
import type { SendResult } from './deliver-result.ts'
import { startChallenges } from './run-challenges.ts'
import { threedsEngine, type ThreedsEngine } from './threeds-engine.ts'

/** The engine at work. */
export interface RunningEngine {
  /** `null` in production: it authenticates nobody. */
  engine: ThreedsEngine | null
  /** Keeps nobody waiting any more and stops the worker; resolves when it has. */
  stop: () => Promise<void>
}

/**
 * Starts the built-in engine where it may run.
 *
 * @param apiUrl The API's origin, which serves the pages of the simulated bank under `/acs`.
 */
export function startEngine(
  parts: Pick<Parts, 'db' | 'clock' | 'log' | 'environment'>,
  apiUrl: string,
  sendResult: SendResult,
): RunningEngine {
  if (parts.environment === 'production') return { engine: null, stop: async () => {} }
  const stopping = new AbortController()
  const engine = threedsEngine({ parts, acsUrl: `${apiUrl}/acs`, sendResult, stopping: stopping.signal })
  const stopChallenges = startChallenges({ parts, sendResult })
  return {
    engine,
    stop: () => {
      stopping.abort()
      return stopChallenges()
    },
  }
}
