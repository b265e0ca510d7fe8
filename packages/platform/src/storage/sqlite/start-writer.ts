import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable, type Unit, type WriteOutcome } from '../database.ts'
import { packer, type Report } from './commit-group.ts'
import type { FromWriter, ToWriter } from './writer.ts'

/** The main thread's end of the writer thread. */
export interface Writer {
  write(unit: Unit): Promise<WriteOutcome>
  /** Commits what was written before, then closes the file and ends the thread. */
  close(): Promise<void>
}

interface Waiting {
  resolve(outcome: WriteOutcome): void
  reject(error: Error): void
}

/**
 * Starts the thread that alone writes to a database file, and creates the file.
 *
 * @throws If the file cannot be opened.
 */
export async function startWriter(file: string): Promise<Writer> {
  const body = new URL(`./writer${extname(import.meta.url)}`, import.meta.url) // .ts from source, .js when built
  // Without the process's own flags: some, such as --input-type, are for its entry point alone.
  const worker = new Worker(body, { workerData: file, execArgv: [] })
  await once(worker, 'message') // its first message says that the file is open; `once` rejects on 'error'
  const waiting: Waiting[] = []
  const pack = packer()
  let gathered: Unit[] = []
  let death: DatabaseUnavailable | null = null
  worker.on('message', (reports: Exclude<FromWriter, 'open'>) => {
    const settled = waiting.splice(0, reports.length)
    for (const [i, report] of reports.entries()) settle(settled[i], report)
  })
  worker.on('error', (error) => {
    death = new DatabaseUnavailable('The thread that writes has died; start the platform again.', { cause: error })
    for (const { reject } of waiting.splice(0)) reject(death)
  })
  function post(message: ToWriter): void {
    worker.postMessage(message)
  }
  function postGathered(): void {
    if (gathered.length > 0) post(pack(gathered))
    gathered = []
  }
  return {
    write(unit) {
      if (death !== null) return Promise.reject(death)
      // Node runs immediates after all the input of a turn: the requests that came in together go over as one message.
      if (gathered.length === 0) setImmediate(postGathered)
      gathered.push(unit)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    async close() {
      if (death !== null) return
      const exited = once(worker, 'exit')
      postGathered()
      post('close')
      await exited
    },
  }
}

function settle(waiting: Waiting | undefined, report: Report): void {
  switch (report.outcome) {
    case 'committed':
    case 'refused':
      return waiting?.resolve(report)
    case 'mistaken':
      return waiting?.reject(new Error(report.message))
    case 'unavailable':
      return waiting?.reject(new DatabaseUnavailable(report.message))
  }
}
