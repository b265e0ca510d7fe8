import type { Machines } from '../machine/builtins.ts'
import { Host } from '../machine/host.ts'
import type { PlatformProcess } from './platforms.ts'
import { bootPlatform, type Site } from './platforms.ts'

/** Lets a world go on until a time or until something holds, one step after the other. */
export async function goOn(
  { world }: Pick<Site, 'world'>,
  machines: Machines,
  { untilMs, until = () => false, afterStep }: { untilMs: number; until?: () => boolean; afterStep?: () => void },
): Promise<number> {
  let steps = 0
  await machines.quiet()
  while (!until()) {
    const step = world.scheduler.next(untilMs)
    if (step === null) {
      world.scheduler.skipTo(untilMs)
      break
    }
    step.run()
    await machines.quiet()
    steps += 1
    afterStep?.()
  }
  return steps
}

/** A machine of a world, whose clocks are as good as those of others. */
export function newHost(name: string, { world }: Pick<Site, 'world'>, skewMs = 0): Host {
  const { scheduler } = world
  const own = world.dice.fork(name)
  return new Host(name, { scheduler, dice: own }, { skewMs, rate: 1 + own.between(-1e-4, 1e-4) })
}

/** Starts a process and waits until it serves. @throws When it does not. */
export async function started(name: string, site: Site, machines: Machines): Promise<PlatformProcess> {
  const process = bootPlatform(name, newHost(name, site), { ...site, release: 'now', failed() {} })
  await goOn(site, machines, {
    untilMs: site.world.scheduler.nowMs + 60_000,
    until: () => process.isServing || !process.host.isAlive,
  })
  if (!process.isServing) throw new Error(`${name} does not start: ${site.logged.join('')}`)
  return process
}
