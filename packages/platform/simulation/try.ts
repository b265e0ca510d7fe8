import { installMachines } from './machine/builtins.ts'
import { emptyTables, makeTemplate } from './world/template.ts'
import { planOf } from './plan.ts'
import { runPlan } from './run-seed.ts'
const tables = await emptyTables()
const machines = installMachines()
await runPlan(planOf('x'), { machines, template: await makeTemplate(tables, machines) })
process.on('unhandledRejection', (e) => { console.log('UNHANDLED', e); process.exit(3) })
await makeTemplate(tables, machines)
const template = await makeTemplate(tables, machines)
const { hash } = await import('node:crypto'); console.log('template', hash('sha256', JSON.stringify(template.shop)).slice(0, 8), hash('sha256', template.bytes).slice(0,8))
const [from, to] = process.argv.slice(2).map(Number)
let real = 0, w = 0
const cpu0 = process.cpuUsage()
for (let n = from; n < to; n++) {
  const r = await runPlan(planOf(String(n)), { machines, template, keepsLines: process.argv[4] === 'v' })
  real += r.realMs; w += r.worldMs
  if (process.argv[4] === 'v') for (const l of r.lines) console.log((l.atMs - 1894006800000).toFixed(0).padStart(8), l.who, l.what.slice(0, 300))
  if (process.argv[4] === 'v') console.log(planOf(String(n)), r.counts)
  console.log(n, r.problems.length === 0 ? 'ok' : 'FAILED', Math.round(r.realMs), Math.round(r.worldMs / 1000) + 's', r.steps, r.hash.slice(0, 8), r.counts.get('calls'), r.problems.slice(0, 3))
}
const c = process.cpuUsage(cpu0); console.log({ cpuMs: (c.user + c.system) / 1000 / (to - from), real, times: w / real })
process.exit(0)
