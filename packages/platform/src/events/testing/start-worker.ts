import { onTestFinished } from 'vitest'
import type { Parts } from '../../call.ts'
import { egress } from '../egress.ts'
import { startWebhookWorker, type WebhookWorker } from '../webhook-worker.ts'

/** Starts a worker that is stopped with the test. What hangs then is broken off at once, unless it is given a grace. */
export function startWorker(parts: Parts, graceMs = 0): WebhookWorker {
  const worker = startWebhookWorker({ parts, deliver: egress(parts), graceMs })
  onTestFinished(() => worker.stop())
  return worker
}
