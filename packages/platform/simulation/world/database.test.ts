import { databaseConformance } from '../../test/storage/database.conformance.ts'
import type { Database, SchemaConnection } from '../../src/storage/database.ts'
import { Host } from '../machine/host.ts'
import { DatabaseServer } from './database.ts'
import { linkTo } from './database-link.ts'
import { newWorld } from './world.ts'

databaseConformance('a world', openInWorld)

/** A database whose world goes on by itself for as long as it is open. */
async function openInWorld(): Promise<Database> {
  const world = newWorld('conformance', { keepsLines: false })
  const { scheduler, dice } = world
  const server = new DatabaseServer('sqlite', new Uint8Array(), scheduler)
  const host = new Host('a process', { scheduler, dice }, { skewMs: 0, rate: 1 })
  const { db } = linkTo(server, host, world)
  let isOpen = true
  let turn = setImmediate(goOn)
  function goOn(): void {
    for (let step = scheduler.next(Infinity); step !== null; step = scheduler.next(Infinity)) step.run()
    turn = setImmediate(goOn)
  }
  return {
    ...db,
    schema: { connect: async () => schemaOf(server), isAlone: () => true, fence: () => {} },
    close: async () => {
      await db.close()
      clearImmediate(turn)
      if (isOpen) server.close()
      isOpen = false
    },
  }
}

/** As much as making a table takes. */
function schemaOf(server: DatabaseServer): SchemaConnection {
  const unasked = () => Promise.reject(new Error('The suite asks for this of no database.'))
  return {
    rows: async (sql, params = []) => server.rows(sql, params),
    async transaction(statements) {
      const [report] = server.commit([statements], null)
      if (report?.outcome !== 'committed') throw new Error(JSON.stringify(report))
    },
    index: unasked,
    column: unasked,
    drained: async () => {},
    close: async () => {},
  }
}
