import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { DescribedTable, Snapshot } from '../../storage/index.ts'
import { BackupUnusable, type TableInBackup } from './manifest.ts'

/** Rows of tables, as a backup proves them. */
type Proof = Pick<TableInBackup, 'rows' | 'sha256'>

export const fileOf = (folder: string, table: string): string => join(folder, `${table}.jsonl.zst`)

/** Writes the rows of a table to a file of its own, durably. */
export async function writeRows(folder: string, table: DescribedTable, snapshot: Snapshot): Promise<Proof> {
  const proof = prover()
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const lines of snapshot.lines(table)) yield proof.add(lines)
  }
  const file = fileOf(folder, table.name)
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
  await pipeline(
    Readable.from(chunks()),
    createZstdCompress(level),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  )
  const handle = await open(file, 'r')
  await handle.sync().finally(() => handle.close())
  return proof.end()
}

/** The same proof for the rows of a database. */
export async function proveRows(table: DescribedTable, snapshot: Snapshot): Promise<Proof> {
  const proof = prover()
  for await (const lines of snapshot.lines(table)) proof.add(lines)
  return proof.end()
}

function prover(): { add: (lines: readonly string[]) => Buffer; end: () => Proof } {
  const digest = createHash('sha256')
  let rows = 0
  return {
    add(lines) {
      rows += lines.length
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      digest.update(bytes)
      return bytes
    },
    end: () => ({ rows, sha256: digest.digest('hex') }),
  }
}

const LINES_AT_ONCE = 2_000

/**
 * Reads the rows of a table from its file, and compares them with the manifest.
 *
 * @throws {BackupUnusable} At the end, if anything is missing or was altered.
 */
export async function* readRows(folder: string, table: TableInBackup): AsyncGenerator<readonly string[]> {
  const file = fileOf(folder, table.name)
  const proof = prover()
  try {
    for await (const lines of linesOf(file)) {
      proof.add(lines)
      yield lines
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^(ENOENT|ZSTD_|Z_|ERR_ZLIB)/.test(code)) throw error
    throw damaged(file, code === 'ENOENT' ? 'it is missing' : 'it is cut off or was altered', error)
  }
  const { rows, sha256 } = proof.end()
  if (rows !== table.rows) throw damaged(file, `it has ${rows} rows, and ${table.rows} belong there`)
  if (sha256 !== table.sha256) throw damaged(file, 'its rows are not those that were backed up')
}

async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  const source = createReadStream(file)
  const bytes = source.pipe(createZstdDecompress())
  source.on('error', (error) => bytes.destroy(error))
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let lines: string[] = []
  for await (const chunk of bytes) {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) lines.push(part)
    if (lines.length < LINES_AT_ONCE) continue
    yield lines
    lines = []
  }
  if (rest !== '') lines.push(rest)
  if (lines.length > 0) yield lines
}

function damaged(file: string, what: string, cause?: unknown): BackupUnusable {
  return new BackupUnusable(`The backup is damaged: ${file}: ${what}. Use another one.`, { cause })
}
