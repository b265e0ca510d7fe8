import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { WRITER_SETTINGS } from '../../src/storage/sqlite/connection.ts'
import type { Dice } from '../machine/dice.ts'

/** What a power cut has left of the log. */
export interface Cut {
  /** The bytes that no `fsync` had covered yet, and how many of them are there all the same. */
  unsynced: number
  kept: number
  /** Whether a sector among those is empty: sectors reach a disk in any order. */
  isTorn: boolean
}

/**
 * The disk of an embedded database: a real file with the settings of the platform's writer, and the log beside it. It
 * keeps what was synced. Of what was only written a power cut leaves as much as chance will have it, and SQLite's own
 * recovery finds its way.
 */
export class Disk {
  readonly #folder = mkdtempSync(join(IN_MEMORY, 'simulated-disk-'))
  #opened = 0
  #file: DatabaseSync
  #level: StatementSync
  /** How much of the log was synced. */
  #synced = 0

  constructor(bytes: Uint8Array) {
    writeFileSync(this.#path(), bytes)
    this.#file = this.#open()
    this.#level = levelOf(this.#file)
    this.synced()
  }

  get file(): DatabaseSync {
    return this.#file
  }

  /** Where it lies. */
  get path(): string {
    return this.#path()
  }

  /** Called after each commit: it has synced the log if SQLite does so at each. Source: `PRAGMA synchronous`, FULL is 2. */
  synced(): void {
    const level = Number(this.#level.get()?.['synchronous'])
    if (level >= 2) this.#synced = this.#logBytes()
  }

  /** The power goes. The file is opened anew from what is left. */
  cut(dice: Dice): Cut {
    const [file, log, written] = [this.#path(), this.#log(), this.#logBytes()]
    const former = this.#file
    const unsynced = written - this.#synced
    const kept = dice.below(unsynced + 1)
    this.#opened += 1
    copyFileSync(file, this.#path())
    if (written > 0) {
      copyFileSync(log, this.#log())
      truncateSync(this.#log(), this.#synced + kept)
    }
    const isTorn = kept > SECTOR_BYTES && dice.chance(0.5)
    if (isTorn) this.#tear(this.#synced + dice.below(kept - SECTOR_BYTES))
    former.close()
    this.#file = this.#open()
    this.#level = levelOf(this.#file)
    // What was recovered is moved into the file, so that the log begins anew and its length says what is in it.
    this.#file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#synced = this.#logBytes()
    return { unsynced, kept, isTorn }
  }

  close(): void {
    this.#file.close()
    rmSync(this.#folder, { recursive: true })
  }

  #open(): DatabaseSync {
    const file = new DatabaseSync(this.#path())
    file.exec(WRITER_SETTINGS)
    return file
  }

  #tear(from: number): void {
    const bytes = readFileSync(this.#log())
    writeFileSync(this.#log(), bytes.fill(0, from, from + SECTOR_BYTES))
  }

  #path(): string {
    return join(this.#folder, `${this.#opened}.db`)
  }

  #logBytes(): number {
    return statSync(this.#log(), { throwIfNoEntry: false })?.size ?? 0
  }

  #log(): string {
    return `${this.#path()}-wal`
  }
}

function levelOf(file: DatabaseSync): StatementSync {
  return file.prepare('PRAGMA synchronous')
}

/** The power of the machine that runs worlds does not go: where it offers files in memory, no sync waits for its disk. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** What a disk writes at once. */
const SECTOR_BYTES = 512
