import type { Database } from '../src/storage/database.ts'

/** When a process dies: at its transaction of this number, 1 the first, before or after it is committed. */
export interface Death {
  transaction: number
  when: 'before' | 'after'
}

/** A database as a process sees it that dies: from then on nothing of what it does has an effect. */
export function mortalDatabase(db: Database, death: Death | null): Database {
  if (death === null) return db
  let transactions = 0
  let isDead = false
  const alive = () => {
    if (isDead) throw new Error('The process has died.')
  }
  return {
    engine: db.engine,
    close: () => db.close(),
    load: () => db.load(),
    async read(sql, params) {
      alive()
      const rows = await db.read(sql, params)
      alive()
      return rows
    },
    async write(transaction) {
      alive()
      transactions += 1
      const dies = transactions === death.transaction
      if (dies) isDead = true
      if (dies && death.when === 'before') alive()
      const outcome = await db.write(transaction)
      alive()
      return outcome
    },
  }
}
