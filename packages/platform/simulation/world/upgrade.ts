import type { Upgrade } from '../plan.ts'
import type { Fleet } from './fleet.ts'
import type { PlatformProcess, Site } from './platforms.ts'
import { type Release, schemaOfRelease } from './releases.ts'

interface Upgrading {
  site: Site
  fleet: Fleet
  /** Waits, in the world's time. */
  pause: (ms: number) => Promise<void>
}

/** An operator who replaces one process after the other, and in the end tries to go back. */
export async function upgradePlatform({ fromMs, pauseMs, diesAt }: Upgrade, upgrading: Upgrading): Promise<void> {
  const { site, fleet, pause } = upgrading
  await pause(fromMs)
  let changes = 0
  site.server.atSchemaChange = (by) => {
    if (++changes !== diesAt) return
    site.world.count('migrations cut off by a kill')
    fleet.kill(by, 'is killed in the middle of a migration')
  }
  await rollOut('next', upgrading, pauseMs)
  await pause(pauseMs)
  await rollOut('after', upgrading, pauseMs)
  await until(() => site.server.oldestSchema() === schemaOfRelease('after'), upgrading, contracting(upgrading))
  await goBack(upgrading)
}

const LOOK_EVERY_MS = 500
/** How long a supervisor waits for a process to stop before it kills it. */
const STOPS_WITHIN_MS = 40_000
/** The longest roll-out, whatever faults strike. */
const DONE_WITHIN_MS = 280_000

async function rollOut(release: Release, upgrading: Upgrading, pauseMs: number): Promise<void> {
  const { site, fleet, pause } = upgrading
  site.world.tell('operator', `rolls out the ${release} release`)
  site.world.count('roll-outs')
  fleet.rollOut(release)
  await until(
    () => fleet.living().length > 0 && fleet.living().every((each) => each.release === release && each.isServing),
    upgrading,
    async () => {
      await replaceOne(release, upgrading)
      await pause(pauseMs / 2)
    },
  )
  fleet.rolledOut()
}

/**
 * Replaces a process: at a server the new one starts before the old one stops; an embedded database has one at a time.
 */
async function replaceOne(release: Release, upgrading: Upgrading): Promise<void> {
  const { site, fleet } = upgrading
  const stopFirst = site.server.engine === 'sqlite'
  const old = () => fleet.living().find((each) => each.release !== release)
  if (stopFirst) await stop(old(), upgrading)
  if (old() !== undefined || fleet.living().length === 0) await start(upgrading)
  if (!stopFirst && fleet.living().some((each) => each.release === release && each.isServing))
    await stop(old(), upgrading)
}

/** Starts a process of the new release, and waits until it serves or is gone. */
async function start({ fleet, pause }: Upgrading): Promise<void> {
  const begun = fleet.boot()
  while (begun?.host.isAlive === true && !begun.isServing) await pause(LOOK_EVERY_MS)
}

async function stop(old: PlatformProcess | undefined, { site, fleet, pause }: Upgrading): Promise<void> {
  if (old === undefined) return
  site.world.tell(old.host.name, 'is stopped, to be replaced')
  old.stop()
  for (let waitedMs = 0; old.host.isAlive; waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > STOPS_WITHIN_MS) fleet.kill(old.host, 'does not stop, and is killed')
    await pause(LOOK_EVERY_MS)
  }
}

/**
 * Contracts the schema: a server does so while serving, an embedded database when it starts. A process that was killed
 * while it contracted is started again.
 */
function contracting(upgrading: Upgrading): () => Promise<void> {
  const { site, fleet } = upgrading
  return async () => {
    if (site.server.engine === 'sqlite') await stop(fleet.living()[0], upgrading)
    if (fleet.living().length === 0) await start(upgrading)
  }
}

/** Tries to start this release again, which must be refused in one line; then continues with the new one. */
async function goBack(upgrading: Upgrading): Promise<void> {
  const { site, fleet, pause } = upgrading
  if (site.server.engine === 'sqlite') await stop(fleet.living()[0], upgrading)
  const old = fleet.boot('now')
  while (old?.host.isAlive === true && !old.isServing) await pause(LOOK_EVERY_MS)
  if (old?.isServing === true) site.world.fail('upgrade: a process serves whose release is shut out')
  if (fleet.living().length === 0) await start(upgrading)
}

async function until(isSo: () => boolean, { site, pause }: Upgrading, meanwhile: () => Promise<void>): Promise<void> {
  const { scheduler } = site.world
  const byMs = scheduler.nowMs + DONE_WITHIN_MS
  while (!isSo()) {
    if (scheduler.nowMs > byMs) return site.world.fail('upgrade: it does not come to its end')
    await meanwhile()
    await pause(LOOK_EVERY_MS)
  }
}
