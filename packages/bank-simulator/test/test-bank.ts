import type { Services } from '../../platform/src/request-context.ts'
import { findTransaction } from '../../platform/src/threeds/session-records.ts'
import { recordMessages } from '../../platform/src/threeds/transcript.ts'
import { openBank, type SimulatedBank } from '../src/simulated-bank.ts'

/** Opens a bank at https://acs.example over a platform's database, whose results go elsewhere than to the platform. */
export function openTestBank(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  receiveResult: (rreq: string) => Promise<string>,
): SimulatedBank {
  const { db, clock, log } = services
  return openBank({
    db,
    clock,
    log,
    acsUrl: 'https://acs.example/acs',
    isLocal: false,
    server: {
      recordMessages,
      receiveResult,
      ownerOf: async (id) => (await findTransaction(id, db))?.accountId ?? null,
      findTimeline: async () => null,
      latestSessions: async () => [],
    },
  })
}
