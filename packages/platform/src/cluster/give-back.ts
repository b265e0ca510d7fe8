import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Database, insist, type Statement } from '../storage/index.ts'

/** The pauses between tries to free a row, doubled: together longer than a lost connection's transaction can take. */
const GIVE_BACK_FIRST_MS = 250
const GIVE_BACK_LAST_MS = 4_000
/** By then every lease has expired. */
const GIVE_BACK_WITHIN_MS = 60_000

/** The process that gives rows back. `isSelf`: whether it still has the id under which it took them. */
interface Giver {
  db: Database
  log: Logger
  signal: AbortSignal
  isSelf: () => boolean
  freed: (rows: number) => void
}

/** See `Cluster.giveBack`. Never rejects. */
export async function giveBack(statements: readonly Statement[], giver: Giver): Promise<void> {
  if (statements.length === 0) return
  const { log, signal, isSelf } = giver
  const begunMs = performance.now()
  const isHeld = () => !signal.aborted && isSelf() && performance.now() - begunMs < GIVE_BACK_WITHIN_MS
  try {
    await untilFree(statements, giver, isHeld)
  } catch (error) {
    if (isHeld()) log.error({ err: error }, 'what this process holds could not be given back; its lease ends by itself')
  }
}

async function untilFree(
  statements: readonly Statement[],
  { db, signal, freed }: Giver,
  isHeld: () => boolean,
): Promise<void> {
  for (let pauseMs = GIVE_BACK_FIRST_MS; isHeld(); pauseMs *= 2) {
    const outcome = await insist(() => db.write(statements), isHeld)
    const rows = outcome.outcome === 'committed' ? outcome.returned.flat().length : 0
    if (rows > 0) return freed(rows)
    if (pauseMs > GIVE_BACK_LAST_MS) return
    await delay(pauseMs, undefined, { ref: false, signal })
  }
}
