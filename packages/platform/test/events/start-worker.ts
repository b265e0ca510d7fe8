import { onTestFinished } from 'vitest'
import { egress } from '../../src/events/egress.ts'
import { startWebhookWorker, type WebhookWorker } from '../../src/events/webhook-worker.ts'
import type { Services } from '../../src/request-context.ts'

/** Starts a worker that is stopped with the test. What hangs then is broken off at once, unless it is given a grace. */
export function startWorker(services: Services, graceMs = 0): WebhookWorker {
  const worker = startWebhookWorker({ services, deliver: egress(services), graceMs })
  onTestFinished(() => worker.stop())
  return worker
}
