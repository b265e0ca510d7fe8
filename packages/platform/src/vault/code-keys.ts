import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Services } from '../request-context.ts'
import { asWarnings, failuresOf, startWorker, steadyClock } from '../runtime/index.ts'
import { pick, rowReader, type Statement } from '../storage/index.ts'
import type { CardKeys } from './card-vault.ts'
import { type Agreed, type KeyPair, newKeyPair, openFrom, sealTo } from './hpke.ts'
import { CODE_TTL_MS } from './service-tokens.ts'
import { sameSignature } from './signed-tokens.ts'
import { codeKeyWrapsTable, codeRecipientsTable } from './tables.ts'

/** How long new codes are sealed under one key. */
const KEY_USE_MS = 60_000
/** After what time a key is erased: when every code under it has expired, and a minute for clocks that differ. */
const KEY_LIFE_MS = KEY_USE_MS + CODE_TTL_MS + 60_000
/** How often a process looks for new peers and for keys that were left for it. */
const LOOK_EVERY_MS = 1_000
/** How long others wrap keys to one key pair of a process; then it has another one. */
const PAIR_USE_MS = 60_000
/** How long a process counts as living that has not published a key pair. */
const RECIPIENT_TTL_MS = 150_000
/** After what time a key pair is erased: nothing is wrapped to it any more, and what was has been collected. */
const PAIR_LIFE_MS = 2 * RECIPIENT_TTL_MS
/**
 * How long a process that has just started waits for the keys that its peers hold: several of their looks, and less than
 * a client waits for its answer.
 */
const JOIN_MS = 6_000
const JOIN_LOOK_MS = 100
/** By how much the clocks of two processes may differ. */
const SKEW_MS = 60_000

/** A key that security codes are sealed under. */
export interface CodeKey {
  id: string
  key: Uint8Array
  madeAtMs: number
}

/** Another process that may open security codes. */
interface Recipient {
  processId: string
  pairId: string
  publicKey: Uint8Array
  /** Since when it is given keys by their makers; earlier ones it gets from any process that holds them. */
  joinedAtMs: number
}

interface OwnPair extends KeyPair {
  id: string
  madeAtMs: number
}

type Parts = Pick<Services, 'db' | 'clock' | 'log'> & CardKeys

/**
 * The keys that security codes are sealed under between a card form and its payment. Each process makes its own, a new one
 * every minute, and keeps it in memory. Before a key is used, it is encrypted for each living peer, and handed over through
 * the database; a peer that joins is given all keys that are still held. When a code has had its time, its key is gone.
 *
 * Neither the database nor a backup of it, together with the vault's own key, opens a code: what keys are encrypted to are
 * key pairs in the memory of processes, which are replaced every minute too. The vault's key proves that a key pair
 * belongs to a process of ours, and that a key comes from one.
 */
export class CodeKeys {
  readonly #parts: Parts
  readonly #processId = randomUUID()
  /** The embedded database has one process, which needs no one to hand keys to. */
  readonly #isAlone: boolean
  readonly #held = new Map<string, CodeKey>()
  readonly #ownIds = new Set<string>()
  /** The ids of the keys that this process has given to each peer. */
  readonly #given = new Map<string, Set<string>>()
  readonly #startedAt = performance.now()
  #pairs: OwnPair[] = []
  #latest: CodeKey | null = null
  #making: Promise<CodeKey> | null = null
  #joinedAtMs: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#isAlone = parts.db.engine === 'sqlite'
    this.#joinedAtMs = parts.clock.now()
  }

  /** How many keys are held now. */
  get size(): number {
    return this.#held.size
  }

  /** The key for a new code; every living peer can read it by now. */
  async current(): Promise<CodeKey> {
    this.#erase()
    const latest = this.#latest
    if (latest !== null && this.#parts.clock.now() < latest.madeAtMs + KEY_USE_MS) return latest
    this.#making ??= this.#make().finally(() => (this.#making = null))
    return this.#making
  }

  /** The key of a code, `null` if no living process has it. A process that has just joined waits for what peers hold. */
  async find(keyId: string): Promise<CodeKey | null> {
    this.#erase()
    for (;;) {
      const held = this.#held.get(keyId)
      if (held !== undefined) return held
      if (this.#isAlone) return null
      await this.#publish()
      await this.#collect()
      const isJoining = performance.now() - this.#startedAt < JOIN_MS
      if (this.#held.has(keyId)) continue
      if (!isJoining || (await this.#peers()).length === 0) return null
      await setTimeout(JOIN_LOOK_MS)
    }
  }

  /** Publishes this process, hands keys to peers that lack them, and takes what was left here. To be called every second. */
  async look(): Promise<void> {
    this.#erase()
    if (this.#isAlone) return
    await this.#publish()
    const peers = await this.#peers()
    const living = new Set(peers.map(({ processId }) => processId))
    for (const processId of this.#given.keys()) if (!living.has(processId)) this.#given.delete(processId)
    await this.#share(this.#held.values(), peers)
    await this.#collect()
  }

  /** Hands over what peers lack, leaves their list, and erases everything. */
  async stop(): Promise<void> {
    try {
      if (!this.#isAlone && this.#pairs.length > 0) {
        await this.look()
        await this.#parts.db.write([
          { sql: 'DELETE FROM code_recipients WHERE process_id = ?', params: [this.#processId] },
          { sql: 'DELETE FROM code_key_wraps WHERE process_id = ?', params: [this.#processId] },
        ])
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the keys of security codes could not be handed over')
    }
    this.#erase(Number.POSITIVE_INFINITY)
  }

  async #make(): Promise<CodeKey> {
    const made = { id: randomBytes(12).toString('base64url'), key: randomBytes(32), madeAtMs: this.#parts.clock.now() }
    this.#ownIds.add(made.id)
    if (!this.#isAlone) {
      await this.#publish()
      await this.#share([made], await this.#peers())
    }
    this.#held.set(made.id, made)
    this.#latest = made
    return made
  }

  async #share(keys: Iterable<CodeKey>, peers: readonly Recipient[]): Promise<void> {
    const handed: { processId: string; keyId: string }[] = []
    const writes: Statement[] = []
    for (const codeKey of keys) {
      for (const peer of peers) {
        if (!this.#lacks(peer, codeKey)) continue
        handed.push({ processId: peer.processId, keyId: codeKey.id })
        writes.push(this.#wrapFor(peer, codeKey))
      }
    }
    if (writes.length === 0) return
    await this.#parts.db.write(writes)
    for (const { processId, keyId } of handed) {
      this.#given.set(processId, (this.#given.get(processId) ?? new Set()).add(keyId))
    }
  }

  /** A key goes to all peers by its maker, and by any process to those that joined later. */
  #lacks({ processId, joinedAtMs }: Recipient, { id, madeAtMs }: CodeKey): boolean {
    if (this.#given.get(processId)?.has(id) === true) return false
    return this.#ownIds.has(id) || joinedAtMs > madeAtMs - SKEW_MS
  }

  #wrapFor({ processId, pairId, publicKey }: Recipient, { id, key, madeAtMs }: CodeKey): Statement {
    const wrapped = sealTo(publicKey, key, this.#agreed([id, madeAtMs, processId, pairId]))
    return { sql: insertWrap, params: [processId, id, pairId, wrapped.toString('base64'), madeAtMs] }
  }

  async #collect(): Promise<void> {
    const rows = readWraps(await this.#parts.db.read(selectWraps, [this.#processId]))
    if (rows.length === 0) return
    for (const { key_id: id, pair_id: pairId, wrapped, made_at: madeAtMs } of rows) {
      const pair = this.#pairs.find((each) => each.id === pairId)
      if (this.#held.has(id) || pair === undefined || this.#isOver(madeAtMs)) continue
      try {
        const agreed = this.#agreed([id, madeAtMs, this.#processId, pairId])
        this.#held.set(id, { id, key: openFrom(Buffer.from(wrapped, 'base64'), pair, agreed), madeAtMs })
      } catch {
        this.#parts.log.error({ keyId: id }, 'a key of security codes was left here by no process of this platform')
      }
    }
    await this.#parts.db.write(
      rows.map((row) => ({ sql: deleteWrap, params: [this.#processId, row.key_id, row.pair_id] })),
    )
  }

  async #publish(): Promise<void> {
    const nowMs = this.#parts.clock.now()
    const last = this.#pairs.at(-1)
    if (last !== undefined && nowMs < last.madeAtMs + PAIR_USE_MS) return
    // A process that was away for so long was given no keys meanwhile.
    if (last !== undefined && nowMs >= last.madeAtMs + RECIPIENT_TTL_MS) this.#joinedAtMs = nowMs
    const pair = { ...newKeyPair(), id: randomBytes(12).toString('base64url'), madeAtMs: nowMs }
    this.#pairs.push(pair) // before it can be read: what is wrapped to it may come at once
    const published = [this.#processId, pair.id, Buffer.from(pair.publicKey).toString('base64')] as const
    const times = [this.#joinedAtMs, nowMs + RECIPIENT_TTL_MS] as const
    await this.#parts.db.write([
      { sql: upsertRecipient, params: [...published, ...times, this.#proofOf([...published, ...times])] },
    ])
  }

  async #peers(): Promise<Recipient[]> {
    const rows = readRecipients(await this.#parts.db.read(selectRecipients, [this.#processId, this.#parts.clock.now()]))
    return rows.flatMap((row) => {
      const { process_id: processId, pair_id: pairId, public_key: publicKey, joined_at: joinedAtMs, proof } = row
      const expected = this.#proofOf([processId, pairId, publicKey, joinedAtMs, row.expires_at])
      if (sameSignature(proof, expected))
        return [{ processId, pairId, publicKey: Buffer.from(publicKey, 'base64'), joinedAtMs }]
      this.#parts.log.error({ processId }, 'a process asks for security codes that does not hold the vault’s key')
      return []
    })
  }

  #proofOf(facts: readonly (string | number)[]): string {
    return this.#parts.cardKeys.mac('security code recipient', JSON.stringify(facts))
  }

  #agreed(facts: readonly (string | number)[]): Agreed {
    const psk = Buffer.from(this.#parts.cardKeys.mac('security code keys', 'between processes'), 'base64url')
    return { info: 'tillwright security code key', bound: JSON.stringify(facts), psk, pskId: 'vault' }
  }

  #isOver(madeAtMs: number, nowMs = this.#parts.clock.now()): boolean {
    return nowMs >= madeAtMs + KEY_LIFE_MS
  }

  #erase(nowMs = this.#parts.clock.now()): void {
    for (const [id, { key, madeAtMs }] of this.#held) {
      if (!this.#isOver(madeAtMs, nowMs)) continue
      key.fill(0)
      this.#held.delete(id)
      this.#ownIds.delete(id)
      for (const ids of this.#given.values()) ids.delete(id)
      if (this.#latest?.id === id) this.#latest = null
    }
    this.#pairs = this.#pairs.filter(({ madeAtMs }) => nowMs < madeAtMs + PAIR_LIFE_MS)
  }
}

/**
 * Hands keys to the vault's other processes for as long as this one lives, and once more at its end. It goes by the
 * machine's time: keys are handed over even while a local platform's stands still.
 *
 * @returns Stops it, and erases the keys.
 */
export function shareCodeKeys(codeKeys: CodeKeys, log: Services['log']): () => Promise<void> {
  const stop = startWorker({
    clock: steadyClock(),
    everyMs: LOOK_EVERY_MS,
    look: () => codeKeys.look(),
    ...failuresOf(asWarnings(log), {
      worker: 'security codes',
      message: 'the keys of security codes could not be handed over; trying again',
    }),
  })
  return () => stop().then(() => codeKeys.stop())
}

/** Deletes what processes that have died have left, and keys that were not collected. */
export function forgetCodeKeys(nowMs: number): Statement[] {
  return [
    { sql: 'DELETE FROM code_recipients WHERE expires_at < ?', params: [nowMs] },
    { sql: 'DELETE FROM code_key_wraps WHERE made_at < ?', params: [nowMs - KEY_LIFE_MS] },
  ]
}

const insertWrap = `INSERT INTO code_key_wraps (process_id, key_id, pair_id, wrapped, made_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (process_id, key_id, pair_id) DO NOTHING`
const selectWraps = 'SELECT key_id, pair_id, wrapped, made_at FROM code_key_wraps WHERE process_id = ?'
const deleteWrap = 'DELETE FROM code_key_wraps WHERE process_id = ? AND key_id = ? AND pair_id = ?'
const readWraps = rowReader(pick(codeKeyWrapsTable, 'key_id', 'pair_id', 'wrapped', 'made_at'))

const upsertRecipient = `INSERT INTO code_recipients (process_id, pair_id, public_key, joined_at, expires_at, proof)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (process_id) DO UPDATE SET pair_id = excluded.pair_id, public_key = excluded.public_key,
    joined_at = excluded.joined_at, expires_at = excluded.expires_at, proof = excluded.proof`
const selectRecipients = 'SELECT * FROM code_recipients WHERE process_id <> ? AND expires_at > ?'
const readRecipients = rowReader(codeRecipientsTable)
