/** A file's bytes, under their SHA-256 in lower-case hexadecimal. */
export interface Asset {
  sha256: string
  bytes: Uint8Array
}

/** What one request carries: few enough bytes that an interrupted one is no great loss, enough files to need few. */
const BATCH_BYTES = 1_048_576
const BATCH_FILES = 50

/** Deals files out to requests, in their order; a file that is larger than a batch goes alone. */
export function batchesOf(assets: readonly Asset[]): Asset[][] {
  const batches: Asset[][] = []
  let room = 0
  for (const asset of assets) {
    const last = batches.at(-1)
    if (last !== undefined && asset.bytes.length <= room && last.length < BATCH_FILES) last.push(asset)
    else {
      batches.push([asset])
      room = BATCH_BYTES
    }
    room -= asset.bytes.length
  }
  return batches
}
