import { hash } from 'node:crypto'
import { FAILED_REQUESTS_KEPT_DAYS, type Operation } from '@tillwright/contract'
import { operationName, withoutSecrets } from '../audit/index.ts'
import type { Caller, Services } from '../request-context.ts'
import { asWarnings, failuresOf, startWorker } from '../runtime/index.ts'
import { type Database, deleteSome, type Statement } from '../storage/index.ts'

/** A request that was answered with an error. */
export interface Failure {
  requestId: string
  operation: Operation
  /** As they stood in the path; what is no id is not kept. */
  pathParams: Readonly<Record<string, string>>
  status: number
  error: { code: string; message: string; param?: string | undefined }
  /** The store that the request named; `null` for none. */
  storeId: string | null
  /** The header as it was sent; its hash is kept. */
  idempotencyKey: string | null
  durationMs: number
}

/**
 * Keeps requests that failed. They are collected in memory and written down by the second, for many requests at once: none
 * waits for it, and a process that is killed loses those of its last second.
 */
export interface FailedRequestLog {
  /** @param describe Is called only for a request that is kept. */
  note(caller: Caller, atMs: number, describe: () => Failure): void
  /** Writes down what is noted. */
  flush(): Promise<void>
  /** Writes down everything, and ends. */
  stop(): Promise<void>
}

const WRITE_EVERY_MS = 1_000
const MINUTE_MS = 60_000

/**
 * How many failures of an account are kept each minute, in each process; further ones are counted. Those of buyers' pages,
 * which anyone can make, take nothing from the others.
 */
const KEPT_A_MINUTE = { servers: 300, pages: 100 } as const

/** How many may wait for a database that cannot be reached. */
const WAITING_MAX = 10_000

const MESSAGE_MAX_CHARS = 500

/** A row, and how many failures it stands for besides its own. */
interface Kept {
  accountId: string
  cells: readonly (string | number | null)[]
  leftOut: number
}

/** Failed requests of an account in one minute. The last one kept waits for the minute's end, to count the others. */
interface Minute {
  endMs: number
  kept: number
  last: Kept | null
}

/** Begins a log of failed requests for this process. */
export function startFailedRequests({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): FailedRequestLog {
  let waiting: Kept[] = []
  const minutes = keepMinutes((kept) => waiting.push(kept))

  /** One after the other, so that a caller that waits for a write has waited for all before it. */
  let writing = Promise.resolve()
  function writeDown(): Promise<void> {
    const written = writing.then(writeWaiting)
    writing = written.catch(() => {})
    return written
  }

  async function writeWaiting(): Promise<void> {
    const byAccount = [...Map.groupBy(waiting, ({ accountId }) => accountId)]
    waiting = []
    const outcomes = await Promise.allSettled(byAccount.map(([accountId, kept]) => insert(accountId, kept, db)))
    outcomes.forEach((outcome, at) => {
      if (outcome.status === 'rejected') waiting.unshift(...(byAccount[at]?.[1] ?? []))
    })
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  const stopWriting = startWorker({
    clock,
    everyMs: WRITE_EVERY_MS,
    async look() {
      minutes.endUntil(clock.now())
      await writeDown()
    },
    ...failuresOf(asWarnings(log), {
      worker: 'failed requests',
      message: 'failed requests could not be written down; trying again',
    }),
  })

  return {
    note(caller, atMs, describe) {
      if (waiting.length < WAITING_MAX) minutes.note(caller, atMs, () => toKept(caller, atMs, describe()))
    },
    flush: writeDown,
    async stop() {
      await stopWriting()
      minutes.endUntil(Infinity)
      await writeDown().catch((error: unknown) => log.warn({ err: error }, 'failed requests were not written down'))
    },
  }
}

/** Decides what is kept of each minute, and counts the rest. @param keep Takes what is to be written. */
function keepMinutes(keep: (kept: Kept) => void) {
  const minutes = new Map<string, Minute>()
  const end = ({ last }: Minute) => {
    if (last !== null) keep(last)
  }
  const minuteAt = (key: string, atMs: number): Minute => {
    const known = minutes.get(key)
    if (known !== undefined && atMs < known.endMs) return known
    if (known !== undefined) end(known)
    const begun = { endMs: (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS, kept: 0, last: null }
    minutes.set(key, begun)
    return begun
  }
  return {
    note({ accountId, kind }: Caller, atMs: number, describe: () => Kept): void {
      const side = kind === 'secret' || kind === 'member' ? 'servers' : 'pages'
      const minute = minuteAt(`${accountId} ${side}`, atMs)
      if (minute.last !== null) minute.last.leftOut++
      else if (++minute.kept === KEPT_A_MINUTE[side]) minute.last = describe()
      else keep(describe())
    },
    endUntil(nowMs: number): void {
      for (const [key, minute] of minutes) {
        if (nowMs < minute.endMs) continue
        end(minute)
        minutes.delete(key)
      }
    },
  }
}

/** SHA-256 of an `Idempotency-Key`, base64url: the key itself may be personal, such as an e-mail address. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** Deletes requests whose time is over. */
export function forgetFailedRequests(nowMs: number): Statement {
  const before = nowMs - FAILED_REQUESTS_KEPT_DAYS * 86_400_000
  return deleteSome({ table: 'failed_requests', key: 'account_id, id', where: 'created_at < ?' }, [before])
}

function toKept({ accountId, actor, storeId }: Caller, atMs: number, failure: Failure): Kept {
  const { requestId, operation, pathParams, status, error, idempotencyKey, durationMs } = failure
  const ids = Object.entries(pathParams).filter(([, value]) => isId(value))
  const cells = [
    requestId,
    operationName(operation),
    operation.method,
    operation.path,
    JSON.stringify(Object.fromEntries(ids)),
    status,
    error.code,
    plain(error.message),
    error.param === undefined ? null : plain(error.param),
    actor.kind,
    actor.id,
    actor.name,
    storeId ?? (failure.storeId !== null && isId(failure.storeId) ? failure.storeId : null),
    idempotencyKey === null ? null : hashOfKey(idempotencyKey),
    durationMs,
    atMs,
  ]
  return { accountId, cells, leftOut: 0 }
}

/** Whatever else stands in a path may be anything: an address, a card, a secret. */
function isId(value: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value) && withoutSecrets(value) === value
}

/** Messages repeat what was wrong, which may have been a person's address. */
function plain(text: string): string {
  const clean = withoutSecrets(text.toWellFormed().replaceAll('\0', ''))
  return clean
    .replaceAll(/[^\s"'<>()]+@[^\s"'<>()]+/g, '[e-mail]')
    .slice(0, MESSAGE_MAX_CHARS)
    .toWellFormed()
}

async function insert(accountId: string, kept: readonly Kept[], db: Database): Promise<void> {
  const items = kept.map(({ cells, leftOut }) => [...cells, leftOut])
  await db.write([{ sql: insertFailed, params: [accountId, JSON.stringify(items)] }])
}

/** Once more after an answer of the database that was lost, it changes nothing. */
const insertFailed = `INSERT INTO failed_requests
  (account_id, id, operation, method, path, path_params, status, code, message, param, actor_kind, actor_id, actor_name,
    store_id, idempotency_key_hash, duration_ms, created_at, left_out)
  SELECT ?, item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, item.value ->> 4,
    CAST(item.value ->> 5 AS BIGINT), item.value ->> 6, item.value ->> 7, item.value ->> 8, item.value ->> 9,
    item.value ->> 10, item.value ->> 11, item.value ->> 12, item.value ->> 13, CAST(item.value ->> 14 AS BIGINT),
    CAST(item.value ->> 15 AS BIGINT), CAST(item.value ->> 16 AS BIGINT)
  FROM {items} WHERE true ON CONFLICT DO NOTHING`
