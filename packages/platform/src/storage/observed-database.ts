import { secondsSince, type Telemetry } from '../telemetry/index.ts'
import { type Database, DatabaseUnavailable } from './database.ts'

/** Measures every read and transaction of a database, and shows transactions in traces. */
export function observedDatabase(db: Database, telemetry: Telemetry): Database {
  if (!telemetry.enabled) return db
  observeLoad(db, telemetry)
  const system = db.engine === 'postgres' ? 'postgresql' : 'sqlite'
  const [reads, writes] = [measure('read', system, telemetry), measure('write', system, telemetry)]
  return {
    engine: db.engine,
    read: (sql, params, options) =>
      reads(
        () => db.read(sql, params, options),
        () => 'done',
      ),
    write(transaction) {
      const attributes = { 'db.system.name': system, 'tillwright.db.statements': transaction.length }
      return telemetry.span('transaction', { kind: 'client', isPart: true, attributes }, async (span) => {
        const written = await writes(
          () => db.write(transaction),
          ({ outcome }) => outcome,
        )
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

type Measure = <Result>(work: () => Promise<Result>, outcomeOf: (result: Result) => string) => Promise<Result>

function measure(operation: 'read' | 'write', system: string, telemetry: Telemetry): Measure {
  return async (work, outcomeOf) => {
    const startMs = performance.now()
    let outcome = 'failed'
    try {
      const result = await work()
      outcome = outcomeOf(result)
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable) outcome = 'unavailable'
      throw error
    } finally {
      telemetry.record('db.client.operation.duration', secondsSince(startMs), {
        'db.system.name': system,
        'db.operation.name': operation,
        'tillwright.db.outcome': outcome,
      })
    }
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
