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

/** The part of the log that a power cut has left. */
export interface Cut {
  /** The bytes not covered by an `fsync`, and the number of them that survived. */
  unsynced: number
  kept: number
  /** Whether one of the surviving sectors is empty: sectors reach a disk in any order. */
  isTorn: boolean
}

/**
 * The disk of an embedded database: a real file with the settings of the platform's writer, and its log. Synced bytes
 * survive a power cut; of the others chance decides how many do, and SQLite recovers by itself.
 */
export class Disk {
  readonly #folder = mkdtempSync(join(IN_MEMORY, 'simulated-disk-'))
  #opened = 0
  #file: DatabaseSync
  #level: StatementSync
  /** The length of the synced part of the log. */
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

  /** The path of the file. */
  get path(): string {
    return this.#path()
  }

  /** Called after each commit, which has synced the log if `PRAGMA synchronous` is 2 (FULL). */
  synced(): void {
    const level = Number(this.#level.get()?.['synchronous'])
    if (level >= 2) this.#synced = this.#logBytes()
  }

  /** Cuts the power, and opens the file again as it is then. */
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
    // Moves the recovered log into the file, so that the log's length counts new writes only.
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

/** The real machine has no power cuts: with files in memory no sync waits for a disk. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The unit of a disk's writes. */
const SECTOR_BYTES = 512
