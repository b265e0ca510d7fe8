import { hash } from 'node:crypto'
import { base32 } from '../serve/deployment-host.ts'

/** 130 bits: as many as tell stores apart for good. */
const STORE_CHARS = 26

/**
 * The first name of an alias on the plugins' host: the alias, `--`, and 26 base32 characters of a hash of account and
 * store. The store's id itself would not do: its letters differ by case, it may be long, and two accounts may use one.
 */
export function aliasHost(alias: string, { accountId, storeId }: { accountId: string; storeId: string }): string {
  const digest = hash('sha256', JSON.stringify([accountId, storeId]), 'buffer')
  return `${alias}--${base32(digest.subarray(0, STORE_CHARS))}`
}
