import { installMachines } from './machine/builtins.ts'
import { emptyTables, makeTemplate } from './world/template.ts'
import { planOf } from './plan.ts'
import { runPlan } from './run-seed.ts'
const tables = await emptyTables()
const machines = installMachines()
await makeTemplate(tables, machines)
const template = await makeTemplate(tables, machines)
const { hash } = await import('node:crypto'); console.log('template', hash('sha256', JSON.stringify(template.shop)).slice(0, 8), hash('sha256', template.bytes).slice(0,8))
const show = (l: any) => `${(l.atMs - 1894006800000).toFixed(3)} ${l.who} ${l.what}`
for (const seed of process.argv.slice(2)) {
  const a = await runPlan(planOf(seed), { machines, template, keepsLines: true })
  const b = await runPlan(planOf(seed), { machines, template, keepsLines: true })
  console.log(seed, a.hash === b.hash, a.steps, b.steps, a.hash.slice(0, 8))
  if (a.hash !== b.hash) {
    const i = a.lines.findIndex((l, n) => show(l) !== (b.lines[n] ? show(b.lines[n]) : ''))
    console.log(i, a.lines.slice(Math.max(0, i - 3), i + 3).map(show).join('\n'), '\n--\n', b.lines.slice(Math.max(0, i - 3), i + 3).map(show).join('\n'))
  }
}
process.exit(0)
