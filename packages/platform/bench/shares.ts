import { createDatabase } from '../../../.ci/postgres-database.ts'
import { benchEngine, type Figures } from './bench-engine.ts'
import { benchBodies } from './bench-bodies.ts'
import { benchRanges } from './bench-ranges.ts'
import { measureStart } from './measure-start.ts'
import { benchPeers } from './bench-peers.ts'
import { benchPooler } from './pooler.ts'
import { benchScale } from './bench-scale.ts'
import { reportPayments } from './report-payments.ts'
import type { Load } from './wrk.ts'

/** Targets of a figure: a share of the floor in the same run, and a rate on the two cores of reference. */
interface Target {
  share: number
  perSecond: number
  p99Ms: number
}

const START_MS = 300
const IDLE_BYTES = 100e6
/** The longest turn of the main thread while a directory's ranges are read, and one look-up. */
const RANGES = { heldMs: 10, lookUpUs: 5 }
/** Upper bound for the memory that sixty bodies of the largest size add. */
const BODIES_BYTES = 150e6
const write: Target = { share: 0.5, perSecond: 4_000, p99Ms: 30 }
const reads = { sqlite: 15_000, postgres: 8_000 } as const

/**
 * Start, memory, what a create, a read and a payment cost next to one insert and one select behind the same framework,
 * what more processes cost, and what others do.
 */
export async function benchShares(postgresUrl: string | null): Promise<void> {
  await reportStart()
  await reportRanges()
  await reportBodies()
  report('sqlite', await benchEngine({}))
  await reportPayments('sqlite', {})
  if (postgresUrl === null) return
  const newUrls = async () => ({
    floor: await createDatabase(postgresUrl),
    platform: await createDatabase(postgresUrl),
    threeds: await createDatabase(postgresUrl),
  })
  report('postgres', await benchEngine(await newUrls()))
  await reportPayments('postgres', await newUrls())
  await benchScale(postgresUrl)
  await benchPooler(postgresUrl)
  await benchPeers(postgresUrl)
}

async function reportStart(): Promise<void> {
  const { startMs, cpuMs, idleBytes } = await measureStart()
  say(
    startMs <= START_MS,
    `start to first answer ${Math.round(startMs)} ms (at most ${START_MS}), ${Math.round(cpuMs)} ms of processor time`,
  )
  say(idleBytes <= IDLE_BYTES, `idle memory ${Math.round(idleBytes / 1e6)} MB (at most ${IDLE_BYTES / 1e6})`)
}

async function reportRanges(): Promise<void> {
  const { heldMs, lookUpUs } = await benchRanges()
  say(
    heldMs <= RANGES.heldMs,
    `200,000 card ranges hold the main thread for ${heldMs.toFixed(1)} ms (at most ${RANGES.heldMs})`,
  )
  say(lookUpUs <= RANGES.lookUpUs, `card range found in ${lookUpUs.toFixed(1)} us (at most ${RANGES.lookUpUs})`)
}

async function reportBodies(): Promise<void> {
  const { peakBytes, keptBytes, taken } = await benchBodies()
  const mb = (bytes: number) => Math.round(bytes / 1e6)
  say(
    peakBytes <= BODIES_BYTES,
    `60 bodies of 37 MB at once, ${taken} of them taken, add ${mb(peakBytes)} MB (at most ${mb(BODIES_BYTES)}); ${mb(keptBytes)} MB stay`,
  )
}

function report(engine: keyof typeof reads, { floor, platform }: Figures): void {
  compare(`${engine} product create`, { load: platform.write, beside: floor.write, target: write })
  const target = { share: 0.75, perSecond: reads[engine], p99Ms: write.p99Ms }
  compare(`${engine} product read`, { load: platform.read, beside: floor.read, target })
}

function compare(what: string, { load, beside, target }: { load: Load; beside: Load; target: Target }): void {
  const share = load.perSecond / beside.perSecond
  const reached = share >= target.share && load.perSecond >= target.perSecond && load.p99Ms <= target.p99Ms
  const percent = (part: number) => `${Math.round(part * 100)} %`
  say(
    reached,
    `${what} ${Math.round(load.perSecond)}/s, p99 ${load.p99Ms} ms, ${percent(share)} of the floor's ` +
      `${Math.round(beside.perSecond)}/s (at least ${target.perSecond}/s, ${target.p99Ms} ms, ${percent(target.share)})`,
  )
}

function say(reached: boolean, sentence: string): void {
  console.log(`${reached ? 'ok  ' : 'MISS'} ${sentence}`)
}
