import { onTestFinished } from 'vitest'
import { egress } from '../../src/events/egress.ts'
import { startWebhookWorker, type WebhookWorker } from '../../src/events/webhook-worker.ts'
import type { Parts } from '../../src/request-context.ts'

/** Starts a worker that is stopped with the test. What hangs then is broken off at once, unless it is given a grace. */
export function startWorker(parts: Parts, graceMs = 0): WebhookWorker {
  const worker = startWebhookWorker({ parts, deliver: egress(parts), graceMs })
  onTestFinished(() => worker.stop())
  return worker
}
