import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Run first in a platform's process, by `--import`. From a SIGUSR2 on it looks every few milliseconds how much processor
// time the main thread has had since the last look: the longest it has kept everybody waiting, whatever else the machine
// is at. The process ends with that in a file.

const EVERY_MS = 2
const report = process.env['MAIN_THREAD_REPORT']

if (isMainThread && report !== undefined) {
  let longestMs = 0
  process.on('SIGUSR2', () => writeFileSync(report, 'watching'))
  process.once('SIGUSR2', () => {
    let before = process.threadCpuUsage()
    const look = () => {
      const now = process.threadCpuUsage()
      longestMs = Math.max(longestMs, (now.user - before.user + now.system - before.system) / 1_000)
      before = now
    }
    setInterval(look, EVERY_MS).unref()
  })
  process.once('exit', () => writeFileSync(report, String(longestMs)))
}
