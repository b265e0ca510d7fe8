import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { compileCache } from '../../../../.ci/compile-cache.ts'
import { seededRandomness } from '../../src/runtime/randomness.ts'
import type { Over } from '../place.ts'
import { hasBalancer } from './balancer.ts'
import { faultNamed, faults, type Fault } from './faults.ts'
import { type Line, runRounds } from './rounds.ts'
import { openSiteDatabase } from './site-database.ts'
import { openSite } from './site.ts'
import { tableOf } from './table.ts'

const usage = `pnpm chaos [--fault NAME]... [--rounds 3] [--seed TEXT] [--buyers 6] [--json FILE]

Three platforms behind haproxy, on one PostgreSQL, under load; breaks things, mends them, and judges. Ends with 1 if
anything was lost, doubled, stuck or contradictory, or a client waited for more than ten seconds.

Faults:
${faults.map(({ name, what }) => `  ${name.padEnd(18)}${what}`).join('\n')}
`

const { values } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: 'chaos' },
    buyers: { type: 'string', default: '6' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

process.env['NODE_COMPILE_CACHE'] = compileCache
const ends: (() => void | Promise<void>)[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)))

try {
  process.exitCode = values.help === true ? printUsage() : await run()
} finally {
  await endAll()
}

function printUsage(): number {
  process.stdout.write(usage)
  return 0
}

async function run(): Promise<number> {
  const asked = values.fault === undefined ? faults : values.fault.map(faultNamed)
  if (!hasBalancer) throw new Error('haproxy is missing. As root run `apt-get install -y haproxy`.')
  const lines: Line[] = []
  for (const fault of asked) lines.push(await runFault(fault))
  process.stdout.write(`${tableOf(lines)}\n`)
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(lines, null, 2))
  return lines.every(({ violations }) => violations.length === 0) ? 0 : 1
}

/** Each fault has a site of its own, so that one's traces are not taken for another's. */
async function runFault(fault: Fault): Promise<Line> {
  const over: Over = (end) => void ends.push(end)
  const database = await openSiteDatabase(fault.database ?? 'server', over)
  const begun = performance.now()
  process.stderr.write(`${fault.name}: ${fault.what}\n`)
  const site = await openSite(database, over)
  const line = await runRounds(fault, site, {
    rounds: Number(values.rounds),
    buyers: Number(values.buyers),
    randomness: seededRandomness(`${values.seed} ${fault.name}`),
    aroundMs: 1_000,
  })
  for (const violation of line.violations.slice(0, 20)) process.stderr.write(`  ${violation}\n`)
  const instead = [...line.instead].map(([what, times]) => `${what} x ${times}`).join(', ')
  for (const refusal of line.refusals.slice(0, 20)) process.stderr.write(`  refused: ${refusal}\n`)
  const tookS = Math.round((performance.now() - begun) / 1_000)
  process.stderr.write(
    `  ${line.purchases} purchases, ${line.requests} requests, ${tookS} s\n  instead of answers: ${instead || 'nothing'}\n  slowest: ${line.slowest}\n`,
  )
  await endAll()
  return line
}

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}
