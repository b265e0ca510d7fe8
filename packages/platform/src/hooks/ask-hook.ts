import { hash } from 'node:crypto'
import {
  type ErrorCode,
  type HookAnswerOf,
  hookAnswers,
  type HookFailure,
  type HookKind,
  type HookQuestion,
  type OrderHook,
} from '@tillwright/contract'
import { signedHeaders } from '../events/index.ts'
import type { RequestContext } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { deleteSome, pick, rowReader, type Statement } from '../storage/index.ts'
import type { ActiveHook, StoreHooks } from './hook-records.ts'
import { hookAnswersTable } from './tables.ts'

/** How long an answer to a question of price holds, so that a buyer is charged what was shown. */
const USABLE_MS = 15 * 60 * 1_000
/** How long answers are kept where no order keeps them. */
const KEPT_MS = 24 * 60 * 60 * 1_000
/** After that a caller may ask again. */
const RETRY_AFTER_S = '5'

/** Subject of a question to a hook; fields that do not concern its kind are left out. */
export type HookSubject = Pick<HookQuestion, 'currency' | 'amount' | 'shippingAmount' | 'lines' | 'destination'> &
  Partial<Omit<HookQuestion, 'id' | 'kind' | 'timestamp' | 'environment' | 'accountId' | 'storeId'>>

/** The part of a request that a question is asked in, so that a worker can ask, too. */
export type Asking = Pick<RequestContext, 'services' | 'nowMs' | 'idempotencyKey'> & {
  caller: Pick<RequestContext['caller'], 'accountId'>
}

/** A question that was asked. `answer` is `null` where there is none and the hook says `continue`. */
export interface Asked<Kind extends HookKind> {
  record: OrderHook
  answer: HookAnswerOf<Kind> | null
}

/** A question to a hook. */
export interface ToAsk<Kind extends HookKind> {
  kind: Kind
  subject: HookSubject
  /** Describes the fault of an answer that has the right shape; `null` for none. */
  problemOf?: (answer: HookAnswerOf<Kind>) => string | null
}

/**
 * Asks a store's hook. The same question about a price has the same answer for 15 minutes, for any caller: what was
 * shown is what is charged. Stock and risk are asked each time, under the same id where a request is repeated.
 *
 * @returns `null` where the store has no such hook.
 * @throws {ApiError} `tax_unanswered` and its like, without a valid answer from a hook that says `refuse`.
 */
export async function askHook<Kind extends HookKind>(
  { kind, subject, problemOf = () => null }: ToAsk<Kind>,
  hooks: StoreHooks,
  context: Asking,
): Promise<Asked<Kind> | null> {
  const hook = hooks[kind]
  if (hook === undefined) return null
  const holds = kind === 'tax' || kind === 'shipping_rates'
  const id = questionId({ hook, subject, holds }, context)
  const earlier = holds ? await findUsable(id, context) : null
  const record = earlier ?? (await askNow({ kind, subject, problemOf, id, hook, holds }, context))
  const answer = record.answer === null ? null : parseAnswer(kind, record.answer)
  if (answer === null && hook.onFailure === 'refuse') throw unanswered(kind, record)
  return { record, answer }
}

interface Identified {
  hook: ActiveHook
  subject: HookSubject
  holds: boolean
}

/**
 * Made from all that is asked, for the merchant's server may keep its answer under the id; about a payment, also from the
 * request. Ids that a repeated request draws anew are left out.
 */
function questionId({ hook, subject, holds }: Identified, { idempotencyKey }: Asking): string {
  const { paymentId, orderId: _, customerId: _1, ...asked } = subject
  const about = holds ? [hook.updatedAtMs, subject] : [idempotencyKey ?? paymentId, asked]
  return `q_${hash('sha256', JSON.stringify([hook.id, ...about]), 'base64url')}`
}

type Asks<Kind extends HookKind> = Required<ToAsk<Kind>> & Identified & { id: string }

async function askNow<Kind extends HookKind>(asks: Asks<Kind>, context: Asking): Promise<OrderHook> {
  const { kind, id, hook, holds, problemOf } = asks
  const { services, nowMs } = context
  const startedAt = performance.now()
  const { answer, failure, detail } = await post(asks, context).then((reply) => judged(reply, kind, problemOf))
  const tookMs = Math.round(performance.now() - startedAt)
  services.telemetry.record('tillwright.hook.duration', tookMs / 1_000, {
    'tillwright.hook.kind': kind,
    'tillwright.hook.outcome': failure ?? 'answered',
  })
  const action = failure === null ? 'applied' : hook.onFailure === 'refuse' ? 'refused' : 'continued'
  const record: OrderHook = {
    id,
    kind,
    askedAt: new Date(nowMs).toISOString(),
    tookMs,
    answer,
    failure,
    detail,
    action,
  }
  const usableUntilMs = holds && failure === null ? nowMs + USABLE_MS : 0
  return keep({ record, hookId: hook.id, usableUntilMs }, context)
}

type Judged<Kind extends HookKind> =
  | { answer: HookAnswerOf<Kind>; failure: null; detail: null }
  | { answer: null; failure: HookFailure; detail: string }

type Posted = { text: string } | { failure: HookFailure; detail: string }

async function post<Kind extends HookKind>(
  { kind, subject, id, hook, holds }: Asks<Kind>,
  { services, caller: { accountId } }: Asking,
): Promise<Posted> {
  const { clock, environment, secrets: box } = services
  const sentMs = clock.machineNow()
  let secrets: string[]
  try {
    secrets = hook.openSecrets(box, clock.now())
  } catch {
    const detail = 'The secret cannot be opened with the key that the platform was started with.'
    return { failure: 'secret_unreadable', detail }
  }
  const timestamp = new Date(sentMs).toISOString()
  const question: HookQuestion = {
    ...nothing,
    ...subject,
    id,
    kind,
    timestamp,
    environment,
    accountId,
    storeId: hook.storeId,
  }
  const body = JSON.stringify(question)
  const headers = { ...signedHeaders({ id, body }, { secrets, nowMs: sentMs }), 'user-agent': 'Tillwright-Hooks/1' }
  const { url, timeoutMs } = hook
  return services.callHook({
    accountId,
    isForPage: holds && question.sessionId !== null,
    url,
    timeoutMs,
    headers,
    body,
  })
}

const nothing = {
  isPreview: false,
  sessionId: null,
  orderId: null,
  paymentId: null,
  subscriptionId: null,
  customerId: null,
  email: null,
  card: null,
  buyerIp: null,
}

function judged<Kind extends HookKind>(
  reply: Posted,
  kind: Kind,
  problemOf: Required<ToAsk<Kind>>['problemOf'],
): Judged<Kind> {
  if ('failure' in reply) return { ...reply, answer: null }
  const malformed = (detail: string): Judged<Kind> => ({ answer: null, failure: 'malformed', detail })
  let sent: unknown
  try {
    sent = JSON.parse(reply.text)
  } catch {
    return malformed('The answer is not JSON.')
  }
  const read = hookAnswers[kind].safeParse(sent)
  if (!read.success) {
    const [issue] = read.error.issues
    return malformed(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'}`.slice(0, 255))
  }
  // The schema is that of the kind; the compiler cannot follow the index through the table.
  const answer = read.data as HookAnswerOf<Kind>
  const problem = problemOf(answer)
  return problem === null ? { answer, failure: null, detail: null } : malformed(problem)
}

function parseAnswer<Kind extends HookKind>(kind: Kind, answer: unknown): HookAnswerOf<Kind> {
  return hookAnswers[kind].parse(answer) as HookAnswerOf<Kind> // as above
}

interface ToKeep {
  record: OrderHook
  hookId: string
  usableUntilMs: number
}

/** Of answers to one question that come at the same time, the first that was kept holds for all who asked. */
async function keep({ record, hookId, usableUntilMs }: ToKeep, context: Asking): Promise<OrderHook> {
  const { services, nowMs, caller } = context
  const params = [caller.accountId, record.id, hookId, nowMs, usableUntilMs, JSON.stringify(record), nowMs]
  const outcome = await services.db.write([{ sql: upsertAnswer, params }])
  const [kept] = outcome.outcome === 'committed' ? readRecords(outcome.returned[0] ?? []) : []
  return kept?.record ?? (await findUsable(record.id, context)) ?? record
}

const upsertAnswer = `INSERT INTO hook_answers (account_id, id, hook_id, asked_at, usable_until, record)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (account_id, id) DO UPDATE SET asked_at = excluded.asked_at, usable_until = excluded.usable_until,
    record = excluded.record
  WHERE hook_answers.usable_until <= ? RETURNING record`
const readRecords = rowReader(pick(hookAnswersTable, 'record'))

async function findUsable(id: string, { services, nowMs, caller }: Asking): Promise<OrderHook | null> {
  const sql = 'SELECT record FROM hook_answers WHERE account_id = ? AND id = ? AND usable_until > ?'
  const [row] = readRecords(await services.db.read(sql, [caller.accountId, id, nowMs]))
  return row?.record ?? null
}

/** The statement that deletes old answers. */
export function forgetHookAnswers(nowMs: number): Statement {
  return deleteSome({ table: 'hook_answers', key: 'account_id, id', where: 'asked_at < ?' }, [nowMs - KEPT_MS])
}

const unansweredCodes = {
  tax: 'tax_unanswered',
  shipping_rates: 'shipping_rates_unanswered',
  stock: 'stock_unanswered',
  risk: 'risk_unanswered',
} as const satisfies Record<HookKind, ErrorCode>

function unanswered(kind: HookKind, { failure }: OrderHook): ApiError {
  const message =
    `The store’s \`${kind}\` hook gave no valid answer (${failure}), and its \`onFailure\` is \`refuse\`. Nothing was ` +
    'charged; try again.'
  return new ApiError(unansweredCodes[kind], message, { headers: { 'Retry-After': RETRY_AFTER_S } })
}
