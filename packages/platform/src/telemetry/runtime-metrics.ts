const COLLECTION_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** The metrics of Node and of the process, whatever the platform does in it. Part of the table in `metrics.ts`. */
export const runtimeMetrics = {
  'nodejs.eventloop.delay': {
    kind: 'gauge',
    unit: 's',
    description: 'Delay of the event loop since the last scrape: its mean, 99th percentile and maximum',
    attributes: ['tillwright.statistic'],
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    description: 'Share of the time since the last scrape that the event loop was busy',
    attributes: [],
  },
  'v8js.gc.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Garbage collections',
    attributes: ['v8js.gc.type'],
    buckets: COLLECTION_S,
  },
  'v8js.memory.heap.used': { kind: 'gauge', unit: 'By', description: "V8's heap in use", attributes: [] },
  'v8js.memory.heap.limit': { kind: 'gauge', unit: 'By', description: "V8's heap at most", attributes: [] },
  'process.memory.usage': { kind: 'gauge', unit: 'By', description: 'Resident memory', attributes: [] },
  'process.cpu.time': {
    kind: 'observedCounter',
    unit: 's',
    description: 'Processor time',
    attributes: ['cpu.mode'],
  },
  'process.uptime': { kind: 'gauge', unit: 's', description: 'Time since the process started', attributes: [] },
  'process.open_file_descriptor.count': {
    kind: 'gauge',
    unit: '{file_descriptor}',
    description: 'Open descriptors (Linux)',
    attributes: [],
  },
  'tillwright.process.descriptors.limit': {
    kind: 'gauge',
    unit: '{file_descriptor}',
    description: 'How many descriptors the process may have open (Linux)',
    attributes: [],
  },
} as const
