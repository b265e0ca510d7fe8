import { setPriority } from 'node:os'
import { extname } from 'node:path'
import { parentPort, type Transferable, Worker } from 'node:worker_threads'

/** Limits of a worker pool. */
export interface PoolLimits {
  /** How many threads there are at most. Each is started when it is first needed. */
  threads: number
  /**
   * How much of a processor's time one task may take; its thread is killed then, and also when it has waited for that time
   * for five times as long.
   */
  taskMs: number
  /** How large the heap of a thread may grow, in MiB; the thread is killed then. */
  heapMb: number
  /** How many tasks of one subject may wait. One of them runs at a time, however many threads are idle. */
  waiting: number
}

/** A task that was given up. Whatever it would have come to is lost. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped'
  /** `crowded`: the subject has too many tasks waiting, and this one was not begun. */
  readonly reason: 'time' | 'memory' | 'crowded'

  constructor(reason: TaskStopped['reason']) {
    super(`A task was stopped: ${reason}.`)
    this.reason = reason
  }
}

/** Threads that do what a request must not do on the main thread. */
export interface WorkerPool<Task, Result> {
  /**
   * Does a task. Subjects take turns, so that one with many tasks delays the others by no more than one of its own.
   *
   * @param subject Whose task it is: an account.
   * @param transfer What is moved to the thread instead of being copied.
   * @throws {TaskStopped} When the task exceeds a limit.
   */
  run: (subject: string, task: Task, transfer?: readonly Transferable[]) => Promise<Result>
  /** Ends all threads. Tasks that are under way are never answered. */
  close: () => Promise<void>
}

interface Job<Task, Result> {
  subject: string
  task: Task
  transfer: readonly Transferable[]
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/**
 * Makes a pool.
 *
 * @param body The module that the threads run, which calls `serveTasks`: its address without the ending.
 */
export function workerPool<Task, Result>(body: URL, limits: PoolLimits): WorkerPool<Task, Result> {
  const pool = new Pool<Task, Result>(body, limits)
  return { run: (subject, task, transfer = []) => pool.run(subject, task, transfer), close: () => pool.close() }
}

class Pool<Task, Result> {
  readonly #body: URL
  readonly #limits: PoolLimits
  /** Subjects with tasks that wait, the one whose turn it is first. */
  readonly #waiting = new Map<string, Job<Task, Result>[]>()
  /** Subjects with a task under way. */
  readonly #running = new Set<string>()
  readonly #idle = new Set<Worker>()
  readonly #all = new Set<Worker>()
  #closed = false

  constructor(body: URL, limits: PoolLimits) {
    this.#body = new URL(`${body.href}${extname(import.meta.url)}`) // .ts from source, .js when built
    this.#limits = limits
  }

  run(subject: string, task: Task, transfer: readonly Transferable[]): Promise<Result> {
    const jobs = this.#waiting.get(subject) ?? []
    if (jobs.length >= this.#limits.waiting) return Promise.reject(new TaskStopped('crowded'))
    return new Promise((resolve, reject) => {
      jobs.push({ subject, task, transfer, resolve, reject })
      this.#waiting.set(subject, jobs)
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
  }

  #dispatch(): void {
    while (!this.#closed && (this.#idle.size > 0 || this.#all.size < this.#limits.threads)) {
      const job = this.#nextJob()
      if (job === null) return
      const [idle] = this.#idle
      if (idle !== undefined) this.#idle.delete(idle)
      this.#begin(job, idle ?? this.#start())
    }
  }

  /** A subject goes to the end of the line with each of its tasks. */
  #nextJob(): Job<Task, Result> | null {
    for (const [subject, jobs] of this.#waiting) {
      if (this.#running.has(subject)) continue
      this.#waiting.delete(subject)
      const job = jobs.shift()
      if (jobs.length > 0) this.#waiting.set(subject, jobs)
      if (job !== undefined) return job
    }
    return null
  }

  #start(): Worker {
    const { NODE_COMPILE_CACHE } = process.env
    const worker = new Worker(this.#body, {
      // Without the process's own flags: some, such as --input-type, are for its entry point alone.
      execArgv: [],
      // Nor its environment, which holds secrets; `keep-compiled.ts` says why this one variable.
      env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
    })
    worker.unref()
    this.#all.add(worker)
    worker.on('exit', () => {
      this.#all.delete(worker)
      this.#idle.delete(worker)
      this.#dispatch()
    })
    return worker
  }

  #begin(job: Job<Task, Result>, worker: Worker): void {
    this.#running.add(job.subject)
    let timer: NodeJS.Timeout | undefined
    let settled = false
    const settle = () => {
      settled = true
      clearInterval(timer)
      worker.removeAllListeners('message').removeAllListeners('error').off('exit', end)
      worker.on('error', ignore) // one that dies while it is idle is replaced when it is needed
      this.#running.delete(job.subject)
    }
    const stop = (error: Error) => {
      if (settled) return
      settle()
      job.reject(error)
      void worker.terminate() // its place is free when it is gone: see 'exit'
    }
    const end = () => stop(new Error('A thread ended in the middle of a task.'))
    worker.once('exit', end)
    worker.on('message', (message: FromWorker<Result>) => {
      if (message.state === 'begun') {
        timer = whenSpent(worker, this.#limits.taskMs, () => stop(new TaskStopped('time')))
        return
      }
      settle()
      this.#idle.add(worker)
      if (message.state === 'done') job.resolve(message.result)
      else job.reject(new Error(message.message))
      this.#dispatch()
    })
    worker.on('error', (error: Error & { code?: string }) =>
      stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskStopped('memory') : error),
    )
    worker.postMessage(job.task, job.transfer)
  }
}

/** How many times as long as its time a task may wait for it: a busy machine is no fault of its sender's. */
const PATIENCE = 5
/** How often within its time a task is looked at. */
const LOOKS = 4

/** Calls back when a thread has had so much of a processor's time from now on, or will not get it. */
function whenSpent(worker: Worker, limitMs: number, spent: () => void): NodeJS.Timeout {
  const begunMs = performance.now()
  const before = processorMs(worker)
  return setInterval(async () => {
    const tookMs = performance.now() - begunMs
    if (tookMs < limitMs) return // nor has it had more of a processor's time
    if (tookMs >= limitMs * PATIENCE) return spent()
    const hadMs = ((await processorMs(worker)) ?? tookMs) - ((await before) ?? 0)
    if (hadMs >= limitMs) spent()
  }, limitMs / LOOKS)
}

/** The processor time of a thread so far; `null` where Node cannot tell, before its version 24.6. */
async function processorMs(worker: Worker): Promise<number | null> {
  const { cpuUsage }: Partial<Pick<Worker, 'cpuUsage'>> = worker
  if (cpuUsage === undefined) return null
  try {
    const { user, system } = await cpuUsage.call(worker)
    return (user + system) / 1_000
  } catch {
    return null // it has ended
  }
}

function ignore(): void {}

/** From a thread: that a task has arrived, and what came of it. */
type FromWorker<Result> = { state: 'begun' } | { state: 'done'; result: Result } | { state: 'failed'; message: string }

/** Low enough to leave the main thread what it wants. */
const NICENESS = 5

/** Does the tasks of a pool. The module that a pool's threads run calls this. */
export function serveTasks<Task, Result>(work: (task: Task) => Result): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs in a thread of a pool.')
  // On Linux this is about the calling thread alone; elsewhere it would be about the whole process.
  if (process.platform === 'linux') setPriority(NICENESS)
  const send = (message: FromWorker<Result>) => port.postMessage(message)
  port.on('message', (task: Task) => {
    send({ state: 'begun' })
    try {
      send({ state: 'done', result: work(task) })
    } catch (error) {
      send({ state: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : 'A task failed.' })
    }
  })
}
