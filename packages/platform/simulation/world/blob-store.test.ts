import { onTestFinished } from 'vitest'
import { blobsConformance } from '../../test/storage/blobs/blobs.conformance.ts'
import { Host } from '../machine/host.ts'
import { blobsIn } from './blob-store.ts'
import { newWorld } from './world.ts'

/** In a world that goes on by itself for as long as its test runs. */
blobsConformance('a world', async () => {
  const world = newWorld('conformance', { keepsLines: false })
  const { scheduler, dice } = world
  let turn = setImmediate(goOn)
  onTestFinished(() => clearImmediate(turn))
  function goOn(): void {
    for (let step = scheduler.next(Infinity); step !== null; step = scheduler.next(Infinity)) step.run()
    turn = setImmediate(goOn)
  }
  return blobsIn(new Map(), new Host('a process', { scheduler, dice }, { skewMs: 0, rate: 1 }), world)
})
