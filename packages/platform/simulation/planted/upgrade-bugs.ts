import type { PlantedBug } from './plant.ts'

/** Bugs of changing the schema while processes of several releases are at work. */
export const upgradeBugs: readonly PlantedBug[] = [
  {
    name: 'a release that the schema has left behind may start',
    file: 'storage/migrate.ts',
    find: `if (state.oldest > known) {`,
    replace: `if (state.oldest > known + 9) {`,
  },
  {
    name: 'a backfill does not go through its rows again once older processes are shut out',
    file: 'storage/migrate.ts',
    find: `await patiently(step, () => raiseOldest(number, schema))
  await fillAll(step, schema, { reached: 'done' })`,
    replace: `await patiently(step, () => raiseOldest(number, schema))
  await markDone(step, schema)`,
  },
  {
    name: 'a change of the schema is noted in a transaction of its own',
    file: 'storage/migrate.ts',
    find: `return connection.transaction([...action.sql.map((sql) => ({ sql, params: [] })), ...mark])`,
    replace: `await connection.transaction(action.sql.map((sql) => ({ sql, params: [] })))
      return connection.transaction(mark)`,
  },
  {
    name: 'what older processes need is taken away while they are at work',
    file: 'storage/follow-schema.ts',
    find: `const isFree = (await oldestLiving(database)) >= numberOf(step)`,
    replace: `const isFree = (await oldestLiving(database)) >= 0`,
  },
]
