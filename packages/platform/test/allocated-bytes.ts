import { type HeapProfiler, Session } from 'node:inspector/promises'

/** Of everything that is allocated, a sample is taken about so often. */
const EVERY_BYTES = 4_096

/**
 * Estimates how much memory the platform's code takes for some work, with what it calls, whether or not it is collected
 * at once: in bytes, good to a few percent. What the test itself takes does not count.
 */
export async function allocatedBytes(work: () => Promise<void>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: EVERY_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await work()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    return bytesBelowPlatform(profile.head)
  } finally {
    session.disconnect()
  }
}

function bytesBelowPlatform(node: HeapProfiler.SamplingHeapProfileNode, isBelow = false): number {
  const { url } = node.callFrame
  const counts = !isTests(url) && (isBelow || url.includes('/packages/platform/src/'))
  return node.children.reduce((sum, child) => sum + bytesBelowPlatform(child, counts), counts ? node.selfSize : 0)
}

/** Its tests, and what they put around the database. */
function isTests(url: string): boolean {
  return url.includes('/packages/platform/test/') || url.includes('.test.ts')
}
