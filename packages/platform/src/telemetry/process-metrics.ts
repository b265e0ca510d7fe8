import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Observation, Telemetry } from './telemetry.ts'

const DELAY_RESOLUTION_MS = 10
const NS = 1e9

/** Observes this process: event loop, memory, garbage collection, processor time, descriptors. Returns how to stop. */
export function observeProcess({ observe, record }: Pick<Telemetry, 'observe' | 'record'>): () => void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail = 'detail' in entry ? entry.detail : null
      record('v8js.gc.duration', entry.duration / 1_000, { 'v8js.gc.type': collectionName(detail) })
    }
  })
  collections.observe({ entryTypes: ['gc'] })
  let used = performance.eventLoopUtilization()
  observe(async () => {
    const since = used
    used = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(used, since)
    const loop = (['mean', 'p99', 'max'] as const).map((statistic): Observation => ({
      metric: 'nodejs.eventloop.delay',
      value: delaySeconds(statistic === 'p99' ? delay.percentile(99) : delay[statistic]),
      attributes: { 'tillwright.statistic': statistic },
    }))
    delay.reset()
    return [
      ...loop,
      { metric: 'nodejs.eventloop.utilization', value: utilization },
      ...memory(),
      ...processorTime(),
      { metric: 'process.uptime', value: process.uptime() },
      ...(await descriptors()),
    ]
  })
  return () => {
    delay.disable()
    collections.disconnect()
  }
}

/** A delay in seconds without the period of the measuring timer; 0 for the odd values of empty histograms. */
function delaySeconds(ns: number): number {
  const seconds = ns / NS - DELAY_RESOLUTION_MS / 1_000
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e6 ? seconds : 0
}

const collectionNames: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

function collectionName(detail: unknown): string {
  const kind = typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : -1
  return collectionNames[kind] ?? 'other'
}

function memory(): Observation[] {
  const heap = getHeapStatistics()
  return [
    { metric: 'v8js.memory.heap.used', value: heap.used_heap_size },
    { metric: 'v8js.memory.heap.limit', value: heap.heap_size_limit },
    { metric: 'process.memory.usage', value: process.memoryUsage.rss() },
  ]
}

function processorTime(): Observation[] {
  const { user, system } = process.cpuUsage()
  return [
    { metric: 'process.cpu.time', value: user / 1e6, attributes: { 'cpu.mode': 'user' } },
    { metric: 'process.cpu.time', value: system / 1e6, attributes: { 'cpu.mode': 'system' } },
  ]
}

async function descriptors(): Promise<Observation[]> {
  const limit = descriptorLimit()
  if (limit === null) return []
  const open = await readdir('/proc/self/fd')
  return [
    { metric: 'process.open_file_descriptor.count', value: open.length },
    { metric: 'tillwright.process.descriptors.limit', value: limit },
  ]
}

/** How many descriptors this process may have open; `null` where the system does not say. */
export function descriptorLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null // not Linux
  }
}
