import type { Parts } from '../../call.ts'

/** Sealed for its own processor alone: moved to another row it does not open. */
const PURPOSE = 'processor secret'
const WEBHOOK_PURPOSE = 'processor webhook secret'

/** A processor's secret as its row keeps it. */
export function sealProcessorSecret(secret: string, processorId: string, { secrets }: Pick<Parts, 'secrets'>): string {
  return secrets.seal(PURPOSE, Buffer.from(secret), processorId)
}

/** @throws {Error} When it was sealed with another key or for another processor. */
export function openProcessorSecret(sealed: string, processorId: string, { secrets }: Pick<Parts, 'secrets'>): string {
  return Buffer.from(secrets.open(PURPOSE, sealed, processorId)).toString()
}

/** The secret that a processor signs its events with, as its row keeps it. */
export function sealWebhookSecret(secret: string, processorId: string, { secrets }: Pick<Parts, 'secrets'>): string {
  return secrets.seal(WEBHOOK_PURPOSE, Buffer.from(secret), processorId)
}

/** @throws {Error} When it was sealed with another key or for another processor. */
export function openWebhookSecret(sealed: string, processorId: string, { secrets }: Pick<Parts, 'secrets'>): string {
  return Buffer.from(secrets.open(WEBHOOK_PURPOSE, sealed, processorId)).toString()
}
