import { OperatorError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import type { KeyProvider } from './key-provider.ts'
import {
  ACTIVE_AFTER_MS,
  boundOf,
  newDataKey,
  type Opening,
  readDataKeys,
  readWraps,
  wrapStatement,
} from './key-ring.ts'
import type { Ring } from './key-provider.ts'

type Rotating = Pick<Opening, 'db' | 'clock' | 'randomness' | 'ring' | 'master'>
type Stays = 'new' | 'former'

/**
 * Makes a new data key. Every process has it within ten seconds, and then uses it for all that is new; what was sealed
 * before is sealed again in the background (`startResealing`).
 *
 * @returns The version of the new key.
 * @throws {OperatorError} While the master key is being replaced, or the key before is not in use yet.
 */
export async function rotateDataKey(rotating: Rotating): Promise<number> {
  const { db, ring, clock, master } = rotating
  const masters = new Set((await readWraps(rotating)).map((wrap) => wrap.master_key_id))
  if (masters.size !== 1 || !masters.has(master.id)) {
    throw new OperatorError(
      `The master key of ${ring} is being replaced; end that first with "tillwright keys rotate ${ring} --finish".`,
    )
  }
  const rows = await readDataKeys(rotating)
  const newest = rows.at(-1)
  const nowMs = clock.now()
  if (newest === undefined) throw new OperatorError(`There are no keys of ${ring} yet; start the platform first.`)
  if (newest.active_at > nowMs)
    throw new OperatorError(`Data key ${newest.version} of ${ring} was made a moment ago; wait until it is in use.`)
  const version = newest.version + 1
  const made = await db.write(await newDataKey(rotating, { version, activeAtMs: nowMs + ACTIVE_AFTER_MS, nowMs }))
  if (made.outcome === 'committed') return version
  throw new OperatorError(
    `Somebody else has rotated ${ring} at the same time; "tillwright keys status" shows the keys.`,
  )
}

/**
 * Encrypts every data key under another master key too: from now on processes start with either. No row is touched, so
 * this takes a moment whatever is stored.
 *
 * @returns How many data keys were encrypted.
 */
export async function addMasterKey({ next, ...rotating }: Rotating & { next: KeyProvider }): Promise<number> {
  const { db, ring, clock, master } = rotating
  if (next.id === master.id)
    throw new OperatorError('--to: is the master key that is in use already; name the one that takes over.')
  const live = (await readDataKeys(rotating)).filter(({ state }) => state !== 'destroyed')
  const wraps = await readWraps(rotating)
  const others = wraps.find((wrap) => wrap.master_key_id !== master.id && wrap.master_key_id !== next.id)
  if (others !== undefined) {
    throw new OperatorError(
      `The master key of ${ring} is being replaced by ${others.master_key} already; end that first with "tillwright keys rotate ${ring} --finish", or take it back with --undo.`,
    )
  }
  const statements = []
  for (const { version } of live) {
    const wrap = wraps.find((each) => each.version === version && each.master_key_id === master.id)
    if (wrap === undefined) throw new OperatorError(`Data key ${version} of ${ring} is not under ${master.place}.`)
    const key = await master.unwrap(wrap.wrapped, boundOf(ring, version))
    const nowMs = Math.max(clock.now(), wrap.created_at + 1) // whose clock is behind makes the newer one all the same
    statements.push(await wrapStatement(key, { ring, version, master: next, nowMs }))
  }
  await db.write(statements)
  return live.length
}

/**
 * Ends the replacement of a master key: from now on processes start with one of the two alone.
 *
 * @param stays The `new` one, or with `former` the one before, which takes the replacement back. It has to be that of the
 *   settings: whoever drops the other one, and destroys it afterwards, would else lose everything by a mistaken setting.
 * @throws {OperatorError} When the settings name the other one, or nothing is being replaced.
 */
export async function endReplacement({ db, ring, master, stays }: Rotating & { stays: Stays }): Promise<void> {
  const wraps = await readWraps({ db, ring })
  const lacking = wraps.find(
    ({ version }) => !wraps.some((own) => own.version === version && own.master_key_id === master.id),
  )
  if (lacking !== undefined || wraps.length === 0) {
    throw new OperatorError(
      `Data key ${lacking?.version ?? 1} of ${ring} is not under ${master.place}; run this command with the settings of the new master key.`,
    )
  }
  const newest = wraps.reduce((newer, wrap) => (wrap.created_at > newer.created_at ? wrap : newer))
  if (wraps.every((wrap) => wrap.master_key_id === newest.master_key_id))
    throw new OperatorError(`The keys of ${ring} are under one master key; there is nothing to end.`)
  if ((newest.master_key_id === master.id) !== (stays === 'new'))
    throw new OperatorError(
      stays === 'new'
        ? `--finish: the settings still have the former master key ${master.id} (${master.place}), which ${newest.master_key_id} (${newest.master_key}) replaces. Run it with the settings of the new one, or keep the former one with --undo.`
        : `--undo: the settings have the new master key ${master.id} (${master.place}) already. Run it with the settings of the former one, or keep the new one with --finish.`,
    )
  await db.write([
    { sql: 'DELETE FROM data_key_wraps WHERE ring = ? AND master_key_id <> ?', params: [ring, master.id] },
  ])
}

/** Whether a database holds keys of a ring: then it can be opened with its master key alone. */
export async function hasKeys(db: Database, ring: Ring): Promise<boolean> {
  return (await readDataKeys({ db, ring })).length > 0
}
