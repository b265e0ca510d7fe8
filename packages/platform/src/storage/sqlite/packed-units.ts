import type { Statement, Unit, Value } from '../database.ts'

/** A statement whose text is named by its place among all texts that were sent. */
type PackedStatement = readonly [text: number, params: readonly Value[], expect: number | undefined, shared: boolean]

/** Units on their way to the writer thread. Each SQL text travels once, however often it is run. */
export interface PackedUnits {
  /** Texts that were not sent before; the first of them has the number `from`. All that had a higher one are forgotten. */
  texts: readonly string[]
  from: number
  units: readonly (readonly PackedStatement[])[]
}

/** Beyond this number all texts are forgotten, so that one who makes them up does not fill both threads. */
const TEXTS_MAX = 1_000

/** @returns Packs units for one unpacker, which has to be given everything in the same order. */
export function packer(): (units: readonly Unit[]) => PackedUnits {
  let known = new Map<string, number>()
  return (units) => {
    if (known.size >= TEXTS_MAX) known = new Map()
    const from = known.size
    const texts: string[] = []
    const numberOf = (sql: string): number => {
      const number = known.get(sql)
      if (number !== undefined) return number
      texts.push(sql)
      known.set(sql, known.size)
      return known.size - 1
    }
    const packed = units.map((unit) =>
      unit.map(({ sql, params, expect, shared = false }) => [numberOf(sql), params, expect, shared] as const),
    )
    return { units: packed, texts, from }
  }
}

/** @returns Unpacks what one packer has packed. */
export function unpacker(): (packed: PackedUnits) => Unit[] {
  const known: string[] = []
  return ({ texts, from, units }) => {
    known.splice(from, Infinity, ...texts)
    return units.map((unit) => unit.map((statement) => unpacked(statement, known)))
  }
}

function unpacked([text, params, expect, shared]: PackedStatement, known: readonly string[]): Statement {
  const sql = known[text]
  if (sql === undefined) throw new Error(`The text ${text} of a statement was not sent.`)
  return { sql, params, ...(expect !== undefined && { expect }), ...(shared && { shared }) }
}
