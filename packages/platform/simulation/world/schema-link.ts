import { DatabaseUnavailable, LockBusy, type SchemaConnection, type Statement } from '../../src/storage/database.ts'
import type { Host } from '../machine/host.ts'
import type { DatabaseServer } from './database.ts'
import { strikes, type World } from './world.ts'

/** Where a connection for changing the schema leads, and from where. */
interface Ends {
  server: DatabaseServer
  host: Host
  world: World
  /** Whether nothing gets through at the moment. */
  isUnreachable: () => boolean
}

/**
 * Opens a connection for changing the schema. To a server it is a line as any other: each change goes there and back, and
 * either way may fail. A file is changed at once, as its platform does it.
 */
export function openSchemaLink(ends: Ends): SchemaConnection {
  return ends.server.engine === 'sqlite' ? toFile(ends) : toServer(ends)
}

function toFile({ server, host, world }: Ends): SchemaConnection {
  const changed =
    <Given extends unknown[], Outcome>(
      what: string,
      work: (connection: SchemaConnection, ...given: Given) => Promise<Outcome>,
    ) =>
    async (...given: Given): Promise<Outcome> => {
      const outcome = await server.changeFile((connection) => work(connection, ...given))
      world.tell('database', `${host.name} ${what} of the schema`)
      server.atSchemaChange?.(host)
      return outcome
    }
  return {
    rows: async (sql, params = []) => server.rows(sql, params),
    transaction: changed('changes something', (connection, statements) => connection.transaction(statements)),
    index: changed('changes an index', (connection, name, sql) => connection.index(name, sql)),
    column: changed('changes a column', (connection, ...given) => connection.column(...given)),
    drained: async () => {},
    close: async () => {},
  }
}

function toServer({ server, host, world, isUnreachable }: Ends): SchemaConnection {
  const { dice, scheduler } = world
  const gone = () => new DatabaseUnavailable('The connection to the database broke.')
  /** `work` tells what has gone wrong, or nothing. */
  function send(what: string, work: () => Error | null): Promise<void> {
    const lagMs = dice.between(0.05, 1.5) + (strikes(world, 'database.slow') ? dice.between(100, 4_000) : 0)
    const isLost = strikes(world, 'database.request lost')
    const isLate = !isLost && strikes(world, 'database.committed late')
    return new Promise((resolve, reject) => {
      const back = (tell: () => void, delayMs = dice.between(0.05, 1.5)) =>
        void host.after(delayMs, 'hears of the schema', tell)
      const breaks = () => back(() => reject(gone()), dice.between(1, 5_000))
      if (isLost || isLate) breaks()
      if (isLost) return
      scheduler.after(lagMs + (isLate ? dice.between(500, 8_000) : 0), `${host.name} changes the schema`, () => {
        if (isUnreachable()) return breaks()
        const failure = work()
        world.tell('database', `${host.name}: ${what} of the schema${failure === null ? '' : `, ${failure.message}`}`)
        server.atSchemaChange?.(host)
        if (isLate) return
        if (strikes(world, 'database.answer lost')) return breaks()
        back(() => (failure === null ? resolve() : reject(failure)))
      })
    })
  }
  const change = (transaction: readonly Statement[]) => failureOf(server.changeSchema(transaction))
  return {
    rows: async (sql, params = []) => server.rows(sql, params),
    transaction(statements) {
      // Another process may use a table, or hold the lock on the migration, for longer than this one waits.
      const isLocking = statements.some(({ sql }) => /^(?:UPDATE|ALTER|DROP)\b/.test(sql))
      if (isLocking && strikes(world, 'database.slow'))
        return Promise.reject(new LockBusy('Somebody else holds the lock.'))
      return send('a transaction', () => change(statements))
    },
    index: (name, sql) => send(`the index ${name}`, () => change([{ sql, params: [] }])),
    column: () => Promise.reject(new TypeError('PostgreSQL changes columns by statements.')),
    drained: () => send('what was under way', () => null),
    close: async () => {},
  }
}

function failureOf(report: ReturnType<DatabaseServer['changeSchema']>): Error | null {
  switch (report.outcome) {
    case 'committed':
      return null
    case 'refused':
      return new Error('Another process has taken over the migration.')
    case 'unavailable':
      return new DatabaseUnavailable(report.message)
    case 'mistaken':
      return new Error(report.message)
    case 'fenced':
      throw new Error('Changes of the schema are not fenced.')
  }
}
