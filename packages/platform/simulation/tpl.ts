import { installMachines } from './machine/builtins.ts'
import { emptyTables, makeTemplate } from './world/template.ts'
import { DatabaseSync } from 'node:sqlite'
const tables = await emptyTables()
const machines = installMachines()
const t = await makeTemplate(tables, machines)
const db = new DatabaseSync(':memory:'); db.deserialize(t.bytes)
for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY name").all())
  for (const row of db.prepare(`SELECT * FROM ${name}`).all()) console.log(name, JSON.stringify(row))
process.exit(0)
