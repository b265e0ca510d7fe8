import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A client in a thread of its own that asks for /healthz all the time, so that nothing else a test does delays it. Any
// message makes it answer how long each took, in milliseconds, and end.

const EVERY_MS = 5
const agent = new Agent({ keepAlive: true })
const took: number[] = []
let stopped = false

parentPort?.once('message', () => void (stopped = true))
while (!stopped) {
  const begun = performance.now()
  await answered(`${String(workerData)}/healthz`)
  took.push(performance.now() - begun)
  await delay(EVERY_MS)
}
agent.destroy()
parentPort?.postMessage(took)
parentPort?.close()

function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/healthz answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    }).once('error', reject)
  })
}
