import { secondsSince, type Telemetry } from '../telemetry/index.ts'
import { type Database, DatabaseUnavailable, type WriteOutcome } from './database.ts'

/**
 * Measures every read and transaction of a database, and shows transactions in traces. A payment makes about a dozen of both, so
 * that nothing is put around them: their promises are handed on as they are.
 */
export function observedDatabase(db: Database, telemetry: Telemetry): Database {
  if (!telemetry.enabled) return db
  observeLoad(db, telemetry)
  const system = db.engine === 'postgres' ? 'postgresql' : 'sqlite'
  const [reads, writes] = [measure('read', system, telemetry), measure('write', system, telemetry)]
  const write: Database['write'] = (transaction) =>
    writes(performance.now(), db.write(transaction), ({ outcome }) => outcome)
  return {
    engine: db.engine,
    read: (sql, params, options) => reads(performance.now(), db.read(sql, params, options), done),
    write(transaction) {
      if (!telemetry.isTracing()) return write(transaction)
      const attributes = { 'db.system.name': system, 'tillwright.db.statements': transaction.length }
      return telemetry.span('transaction', { kind: 'client', attributes }, async (span) => {
        const written = await write(transaction)
        span.set({ 'tillwright.db.outcome': written.outcome })
        return written
      })
    },
    load: () => db.load(),
    ...(db.schema !== undefined && { schema: db.schema }),
    ...(db.emptyLog !== undefined && { emptyLog: db.emptyLog }),
    close: () => db.close(),
  }
}

type Outcome = WriteOutcome['outcome'] | 'done' | 'failed' | 'unavailable'

const done = () => 'done' as const

type Measure = <Result>(
  startMs: number,
  work: Promise<Result>,
  outcomeOf: (result: Result) => Outcome,
) => Promise<Result>

function measure(operation: 'read' | 'write', system: string, telemetry: Telemetry): Measure {
  const recorderOf = (outcome: Outcome) =>
    telemetry.recorder('db.client.operation.duration', {
      'db.system.name': system,
      'db.operation.name': operation,
      'tillwright.db.outcome': outcome,
    })
  const record: Readonly<Record<Outcome, (seconds: number) => void>> = {
    done: recorderOf('done'),
    committed: recorderOf('committed'),
    refused: recorderOf('refused'),
    failed: recorderOf('failed'),
    unavailable: recorderOf('unavailable'),
  }
  return (startMs, work, outcomeOf) => {
    work.then(
      (result) => record[outcomeOf(result)](secondsSince(startMs)),
      (error: unknown) =>
        record[error instanceof DatabaseUnavailable ? 'unavailable' : 'failed'](secondsSince(startMs)),
    )
    return work
  }
}

function observeLoad(db: Database, telemetry: Telemetry): void {
  telemetry.observe(() =>
    db.load().flatMap(({ pool, connections, used, waiting }) => {
      const attributes = { 'tillwright.db.pool': pool }
      return [
        { metric: 'tillwright.db.connections.max', value: connections, attributes },
        { metric: 'tillwright.db.connections.used', value: used, attributes },
        { metric: 'tillwright.db.requests.waiting', value: waiting, attributes },
      ]
    }),
  )
}
