import { readFileSync } from 'node:fs'
import type { Load } from './wrk.ts'

/** A server under measurement, and one slice of load on it. */
export interface Variant {
  name: string
  /** Of the process whose processor time is counted; Linux alone has it. */
  pid: number
  load: () => Promise<Load>
}

/** Measurements of one variant, one for each slice. */
export interface Slices {
  name: string
  perSecond: number[]
  /** Time of the server's main thread for one request, in microseconds; `NaN` where it is not to be had. */
  cpuUs: number[]
}

/**
 * Loads variants in turns, in short slices, so that whatever else the machine does meets all of them alike. Each is first
 * as often as the others, because the first of a round is the fastest.
 */
export async function inTurns(variants: readonly Variant[], rounds: number): Promise<Slices[]> {
  const all = variants.map((variant) => ({ variant, slices: emptySlices(variant.name) }))
  for (const { variant } of all) await variant.load() // compiled, connected and cached
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < all.length; place += 1) {
      const { variant, slices } = all[(round + place) % all.length] ?? all[0] ?? none()
      const beforeUs = mainThreadUs(variant.pid)
      const { perSecond, requests } = await variant.load()
      slices.perSecond.push(perSecond)
      slices.cpuUs.push((mainThreadUs(variant.pid) - beforeUs) / requests)
    }
  }
  return all.map(({ slices }) => slices)
}

function none(): never {
  throw new Error('There is nothing to compare.')
}

function emptySlices(name: string): Slices {
  return { name, perSecond: [], cpuUs: [] }
}

/**
 * How one variant compares with another: the medians of the ratios of slices that stood next to each other, which a machine
 * that is busy for a while does not move.
 */
export function compared(slices: Slices, base: Slices): Comparison {
  const ratio = (of: 'perSecond' | 'cpuUs') =>
    median(slices[of].map((value, round) => value / (base[of][round] ?? value)))
  const [perSecond, cpu] = [ratio('perSecond'), ratio('cpuUs')]
  const summary =
    `${slices.name}: ${shown(slices)}; ${base.name}: ${shown(base)}; ` +
    `${percent(perSecond)} of the requests, ${percent(cpu)} of the main thread for each`
  return { perSecond, cpu, summary }
}

/** Shares of what the other variant has. */
export interface Comparison {
  perSecond: number
  cpu: number
  summary: string
}

/**
 * Compares a variant's cost with its bound, as a line of text. A platform is bound by its main thread: the more time a
 * request takes of it, the fewer there are. Unlike the throughput, this time does not depend on other load of the
 * machine, nor on how the disk groups writes.
 */
export function verdictOf(what: string, { perSecond, cpu, summary }: Comparison, atMost: number): string {
  const cost = 1 - (Number.isNaN(cpu) ? perSecond : 1 / cpu)
  return `${cost <= atMost ? 'ok  ' : 'MISS'} ${what}${summary}: a cost of ${percent(cost)} (at most ${percent(atMost)})`
}

function shown({ perSecond, cpuUs }: Slices): string {
  return `${Math.round(median(perSecond))}/s at ${Math.round(median(cpuUs))} us`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The kernel counts in hundredths of a second. Source: proc(5), `/proc/pid/stat`, fields 14 and 15. */
const TICK_US = 10_000

/**
 * Processor time that the first thread of a process has had, in microseconds; `NaN` where it is not to be had. Source:
 * the kernel's Documentation/scheduler/sched-stats.rst, `/proc/<pid>/schedstat`, field 1.
 */
export function mainThreadUs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
}

/** Processor time of all threads of a process, in microseconds, by hundredths of a second; `NaN` where it is not to be had. */
export function processorUs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}
