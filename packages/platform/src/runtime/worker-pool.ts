import { setPriority } from 'node:os'
import { parentPort, type Transferable, type Worker } from 'node:worker_threads'
import { startThread } from './thread.ts'

/** Size of a pool and the limits of its threads. */
export interface PoolLimits {
  /** Maximum number of threads; each is started when first needed. */
  threads: number
  /**
   * CPU time that one task may use, in milliseconds. The thread is killed beyond it, or after five times as long in
   * wall-clock time.
   */
  taskMs: number
  /** Maximum heap of a thread, in MiB; the thread is killed beyond it. */
  heapMb: number
  /** Maximum number of waiting tasks per subject. A subject runs one task at a time, even if threads are idle. */
  waiting: number
  /** How long a thread without a task is kept, in milliseconds; for ever unless given. */
  idleMs?: number
}

/** A task that was aborted; any result is lost. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped'
  /** `crowded`: the subject has too many waiting tasks, and this one was not started. */
  readonly reason: 'time' | 'memory' | 'crowded'

  constructor(reason: TaskStopped['reason']) {
    super(`A task was stopped: ${reason}.`)
    this.reason = reason
  }
}

/** Threads for work that a request must not do on the main thread. */
export interface WorkerPool<Task, Result> {
  /**
   * Runs a task. Subjects take turns, so that one with many tasks delays the others by at most one of its own.
   *
   * @param subject Who the task counts against: an account.
   * @throws {TaskStopped} If the task exceeds a limit.
   */
  run: (subject: string, task: Task, options?: RunOptions) => Promise<Result>
  /** Ends all threads. Tasks in progress never settle. */
  close: () => Promise<void>
}

/** How one task is run. */
export interface RunOptions {
  /** Objects to move to the thread instead of copying them. */
  transfer?: readonly Transferable[]
}

interface Job<Task, Result> extends Required<RunOptions> {
  subject: string
  task: Task
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

/**
 * Creates a pool.
 *
 * @param body URL, without extension, of the module that the threads run; it must call `serveTasks`.
 */
export function workerPool<Task, Result>(body: URL, limits: PoolLimits): WorkerPool<Task, Result> {
  const pool = new Pool<Task, Result>(body, limits)
  return {
    run: (subject, task, { transfer = [] } = {}) => pool.run({ subject, task, transfer }),
    close: () => pool.close(),
  }
}

class Pool<Task, Result> {
  readonly #body: URL
  readonly #limits: PoolLimits
  /** Subjects with waiting tasks; the first in order is next. */
  readonly #waiting = new Map<string, Job<Task, Result>[]>()
  /** Subjects with a running task. */
  readonly #running = new Set<string>()
  /** With what will end them. */
  readonly #idle = new Map<Worker, NodeJS.Timeout | undefined>()
  readonly #all = new Set<Worker>()
  #closed = false

  constructor(body: URL, limits: PoolLimits) {
    this.#body = body
    this.#limits = limits
  }

  run(job: Omit<Job<Task, Result>, 'resolve' | 'reject'>): Promise<Result> {
    const { subject } = job
    const jobs = this.#waiting.get(subject) ?? []
    if (jobs.length >= this.#limits.waiting) return Promise.reject(new TaskStopped('crowded'))
    return new Promise((resolve, reject) => {
      jobs.push({ ...job, resolve, reject })
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
      const [idle] = this.#idle.keys()
      if (idle !== undefined) this.#wakeUp(idle)
      this.#begin(job, idle ?? this.#start())
    }
  }

  /** Takes the next task; its subject goes to the end of the queue. */
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
    const worker = startThread(this.#body, {
      environment: 'dropped',
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: 8 },
    })
    worker.unref()
    this.#all.add(worker)
    worker.on('exit', () => {
      this.#all.delete(worker)
      this.#wakeUp(worker)
      this.#dispatch()
    })
    return worker
  }

  #rest(worker: Worker): void {
    const { idleMs } = this.#limits
    const end = () => {
      this.#idle.delete(worker)
      void worker.terminate() // frees its slot on 'exit'
    }
    this.#idle.set(worker, idleMs === undefined ? undefined : setTimeout(end, idleMs).unref())
  }

  #wakeUp(worker: Worker): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
  }

  #begin(job: Job<Task, Result>, worker: Worker): void {
    this.#running.add(job.subject)
    let timer: NodeJS.Timeout | undefined
    let settled = false
    const settle = () => {
      settled = true
      clearInterval(timer)
      worker.removeAllListeners('message').removeAllListeners('error').off('exit', end)
      worker.on('error', ignore) // a thread that dies while idle is replaced when needed
      this.#running.delete(job.subject)
    }
    const stop = (error: Error) => {
      if (settled) return
      settle()
      job.reject(error)
      void worker.terminate() // frees its slot on 'exit'
    }
    const end = () => stop(new Error('A thread ended in the middle of a task.'))
    worker.once('exit', end)
    worker.on('message', (message: FromWorker<Result>) => {
      if (message.state === 'begun') {
        timer = whenSpent(worker, this.#limits.taskMs, () => stop(new TaskStopped('time')))
        return
      }
      settle()
      this.#rest(worker)
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

/** A task's wall-clock limit as a multiple of its CPU limit: a busy machine is not the task's fault. */
const PATIENCE = 5
/** How many times a task's CPU time is checked within its limit. */
const LOOKS = 4

/** Calls `spent` once a thread has used `limitMs` of CPU time from now on, or runs out of wall-clock time. */
function whenSpent(worker: Worker, limitMs: number, spent: () => void): NodeJS.Timeout {
  const begunMs = performance.now()
  const before = processorMs(worker)
  return setInterval(async () => {
    const tookMs = performance.now() - begunMs
    if (tookMs < limitMs) return // CPU time cannot exceed wall-clock time
    if (tookMs >= limitMs * PATIENCE) return spent()
    const hadMs = ((await processorMs(worker)) ?? tookMs) - ((await before) ?? 0)
    if (hadMs >= limitMs) spent()
  }, limitMs / LOOKS)
}

/** CPU time that a thread has used, in milliseconds, or `null` before Node 24.6, which cannot report it. */
async function processorMs(worker: Worker): Promise<number | null> {
  const { cpuUsage }: Partial<Pick<Worker, 'cpuUsage'>> = worker
  if (cpuUsage === undefined) return null
  try {
    const { user, system } = await cpuUsage.call(worker)
    return (user + system) / 1_000
  } catch {
    return null // the thread has ended
  }
}

function ignore(): void {}

/** Reports from a thread that a task has started, and its outcome. */
type FromWorker<Result> = { state: 'begun' } | { state: 'done'; result: Result } | { state: 'failed'; message: string }

/** Low enough to leave the main thread the CPU time it needs. */
const NICENESS = 5

/**
 * Serves a pool's tasks. Called by the module that the pool's threads run.
 *
 * @param transferOf Objects in a result to move to the main thread instead of copying them; none unless given.
 */
export function serveTasks<Task, Result>(
  work: (task: Task) => Result,
  transferOf: (result: Result) => readonly Transferable[] = () => [],
): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs in a thread of a pool.')
  // On Linux this applies to the calling thread alone; elsewhere it would apply to the whole process.
  if (process.platform === 'linux') setPriority(NICENESS)
  const send = (message: FromWorker<Result>, transfer: readonly Transferable[] = []) =>
    port.postMessage(message, [...transfer])
  port.on('message', (task: Task) => {
    send({ state: 'begun' })
    try {
      const result = work(task)
      send({ state: 'done', result }, transferOf(result))
    } catch (error) {
      send({ state: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : 'A task failed.' })
    }
  })
}
