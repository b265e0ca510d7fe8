import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LATE_MS } from '../../src/processors/driver.ts'
import { fraction, type Randomness } from '../../src/runtime/randomness.ts'
import type { StartOptions } from '../platform-process.ts'
import type { DatabaseKind } from './site-database.ts'
import type { Member, Site } from './site.ts'

/** Something that breaks under load, and is mended again. */
export interface Fault {
  name: string
  /** Description of the fault, for the table. */
  what: string
  /** For how long at least and at most, in milliseconds. */
  holdMs: readonly [least: number, most: number]
  /** Kind of PostgreSQL that the fault needs; one server unless given. */
  database?: DatabaseKind
  /** No client may notice: every request is answered at the first try. */
  unnoticed?: boolean
  /** A `Tillwright-Fault` header that some buyers send meanwhile. */
  header?: string
  /** How long that keeps an answer back, in milliseconds. */
  lastsMs?: number
  /** Breaks it; resolves to what mends it. */
  begin(site: Site, randomness: Randomness): Promise<() => Promise<void>>
}

/** The faults that this machine can bring. */
export const faults: readonly Fault[] = [
  {
    name: 'kill',
    what: '`kill -9` of a platform process, and its restart',
    holdMs: [500, 2_000],
    async begin({ members }, randomness) {
      const member = oneOf(members, randomness)
      await member.process.killNine()
      return () => member.start()
    },
  },
  {
    name: 'pause',
    what: 'a platform process is stopped (SIGSTOP) and goes on (SIGCONT)',
    holdMs: [1_000, 12_000],
    async begin({ members }, randomness) {
      const { pid } = oneOf(members, randomness).process.local
      process.kill(pid, 'SIGSTOP')
      return async () => void process.kill(pid, 'SIGCONT')
    },
  },
  {
    name: 'rolling-restart',
    what: 'SIGTERM to one process after the other, each started again',
    holdMs: [0, 0],
    unnoticed: true,
    begin: (site) => rollOver(site, {}),
  },
  {
    name: 'rolling-upgrade',
    what: 'the same, each started as a newer version that adds a column and fills it',
    holdMs: [0, 0],
    unnoticed: true,
    begin: (site) => rollOver(site, nextRelease()),
  },
  {
    name: 'postgres-restart',
    what: 'PostgreSQL is stopped at once, without a clean shutdown, and started',
    holdMs: [0, 0],
    async begin({ database }) {
      await database.restart()
      return async () => {}
    },
  },
  {
    name: 'cut',
    what: 'every connection between one process and PostgreSQL is reset, new ones refused',
    holdMs: [500, 5_000],
    async begin({ members }, randomness) {
      const { wire } = oneOf(members, randomness)
      wire.refuse(true)
      wire.cut()
      return async () => wire.refuse(false)
    },
  },
  {
    name: 'stall',
    what: 'every connection between one process and PostgreSQL falls silent',
    holdMs: [1_000, 15_000],
    async begin({ members }, randomness) {
      const { wire } = oneOf(members, randomness)
      wire.silence()
      return async () => wire.heal()
    },
  },
  {
    name: 'stall-all',
    what: 'all connections of all processes to PostgreSQL fall silent',
    holdMs: [500, 6_000],
    async begin({ members }) {
      for (const { wire } of members) wire.silence()
      return async () => {
        for (const { wire } of members) wire.heal()
      }
    },
  },
  {
    name: 'failover',
    what: 'the primary is killed, its synchronous replica promoted, and the primary returns as replica',
    database: 'pair',
    holdMs: [500, 2_000],
    async begin({ database }) {
      await database.failOver()
      return () => database.rejoin()
    },
  },
  {
    name: 'replica-lost',
    what: 'the synchronous replica is killed, and returns',
    database: 'pair',
    holdMs: [500, 2_000],
    async begin({ database }) {
      await database.loseReplica()
      return () => database.rejoin()
    },
  },
  {
    name: 'pgbouncer',
    what: 'PgBouncer in transaction mode is killed and started again',
    database: 'pooled',
    holdMs: [0, 0],
    async begin({ database }) {
      await database.restartPooler()
      return async () => {}
    },
  },
  {
    name: 'disk',
    what: 'the disk of PostgreSQL is full',
    database: 'small-disk',
    holdMs: [1_000, 3_000],
    async begin({ database }) {
      await database.fillDisk()
      return () => database.clearDisk()
    },
  },
  {
    name: 'clock-back',
    what: 'the clock of one process jumps an hour back, and forward again',
    holdMs: [2_000, 5_000],
    begin: (site, randomness) => shiftClock(oneOf(site.members, randomness), site, '-3600'),
  },
  {
    name: 'clock-ahead',
    what: 'the clock of one process is 120 s ahead',
    holdMs: [2_000, 5_000],
    begin: (site, randomness) => shiftClock(oneOf(site.members, randomness), site, '+120'),
  },
  {
    name: 'receiver',
    what: "the shop's receiver of webhooks does not answer",
    holdMs: [2_000, 5_000],
    async begin({ receiver }) {
      receiver.hang(true)
      return async () => receiver.hang(false)
    },
  },
  {
    name: 'processor',
    what: 'the processor takes the money and does not answer for 31 s',
    holdMs: [1_000, 2_000],
    header: 'processor=late',
    lastsMs: LATE_MS,
    begin: async () => async () => {},
  },
  {
    name: 'balancer',
    what: 'the balancer is killed and started again',
    holdMs: [0, 0],
    async begin({ balancer }) {
      await balancer.restart()
      return async () => {}
    },
  },
]

/** @throws When there is none of that name; the message lists those that there are. */
export function faultNamed(name: string): Fault {
  const fault = faults.find((each) => each.name === name)
  if (fault === undefined) {
    throw new Error(`There is no fault "${name}"; there are ${faults.map((each) => each.name).join(', ')}.`)
  }
  return fault
}

/** Gives each process in turn another start; the next one's turn comes when it serves. */
async function rollOver(
  { members }: Site,
  program: Pick<StartOptions, 'main' | 'settings'>,
): Promise<() => Promise<void>> {
  for (const member of members) {
    await member.process.stop()
    await member.start(program)
    await untilChecked()
  }
  return async () => {}
}

let releases = 0

function nextRelease(): Pick<StartOptions, 'main' | 'settings'> {
  releases += 1
  return { main: new URL('./newer-version.ts', import.meta.url), settings: { RELEASE: String(releases) } }
}

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** Restarts a process with a clock of its own, which then jumps by so many seconds, and back at the end. */
async function shiftClock(member: Member, { place }: Site, offset: string): Promise<() => Promise<void>> {
  const file = join(place.home, `clock-${member.name}`)
  await writeFile(file, '+0')
  await member.process.stop()
  const settings = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  await member.start({ settings })
  await writeFile(file, offset)
  return async () => {
    await writeFile(file, '+0')
    await untilChecked()
    await member.process.stop()
    await member.start()
  }
}

/** Longer than the balancer takes to notice that a process is back. */
function untilChecked(): Promise<void> {
  return delay(1_000)
}

function oneOf(members: readonly Member[], randomness: Randomness): Member {
  const member = members[Math.floor(fraction(randomness) * members.length)]
  if (member === undefined) throw new Error('A site has members.')
  return member
}
