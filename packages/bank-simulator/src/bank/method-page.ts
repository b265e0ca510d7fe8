import { z } from 'zod'
import type { BankDependencies } from '../dependencies.ts'
import { drawnUuid } from './draws.ts'
import { findControl } from './scenario.ts'

/** The data posted to the issuer's method page. Source: EMV 3DS 2.2.0, threeDSMethodData. */
const methodData = z.object({
  threeDSServerTransID: z.uuid(),
  threeDSMethodNotificationURL: z.url({ protocol: /^https?$/ }).max(256),
})

/** How a method page ends: it notifies the shop at once, late, or never. */
export interface MethodEnd {
  notificationUrl: string
  /** The data sent back to the shop, base64url. */
  data: string
  afterMs: number | null
}

/** Delay of a deliberately late notification. A shop waits for ten seconds. */
const LATE_MS = 12_000
const RACES_MAX = 5

/**
 * Parses the data posted to the method page.
 *
 * @param posted Base64url JSON.
 * @returns `null` if it is not valid method data.
 */
export async function readMethodData(
  posted: string,
  { db, clock, server }: Pick<BankDependencies, 'db' | 'clock' | 'server'>,
): Promise<MethodEnd | null> {
  const parsed = methodData.safeParse(jsonOf(posted))
  if (!parsed.success) return null
  const { threeDSServerTransID: transactionId, threeDSMethodNotificationURL: notificationUrl } = parsed.data
  const accountId = await server.ownerOf(transactionId)
  if (accountId === null) return endOf(transactionId, { notificationUrl, afterMs: 0 })
  const message = { from: 'browser', to: 'issuer', type: 'Method', message: parsed.data } as const
  for (let races = 0; races < RACES_MAX; races++) {
    const recorded = await db.write(server.recordMessages([message], { accountId, transactionId, nowMs: clock.now() }))
    if (recorded.outcome === 'committed') break
  }
  const arranged = await findControl({ accountId, transactionId }, db)
  switch (arranged?.control.faults.method) {
    case 'hang':
      return endOf(transactionId, { notificationUrl, afterMs: null })
    case 'late':
      return endOf(transactionId, { notificationUrl, afterMs: LATE_MS })
    case 'wrong_transaction':
      return endOf(drawnUuid('another', transactionId), { notificationUrl, afterMs: 0 })
    case undefined:
      return endOf(transactionId, { notificationUrl, afterMs: 0 })
  }
}

function endOf(threeDSServerTransID: string, end: Omit<MethodEnd, 'data'>): MethodEnd {
  return { ...end, data: Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url') }
}

function jsonOf(posted: string): unknown {
  try {
    return JSON.parse(Buffer.from(posted, 'base64url').toString())
  } catch {
    return null
  }
}
