/** A file, folder or symbolic link of an image. Owned by root unless `owner` says otherwise. */
export interface Entry {
  /** Absolute, without a slash at the end. */
  path: string
  /** Permissions, such as `0o644`. */
  mode: number
  /** User and group. */
  owner?: number
  content: Uint8Array | 'folder' | { linkTo: string }
}

const BLOCK = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** Where the fields of a header begin. Source: POSIX.1-2017, pax, "ustar Interchange Format". */
const AT = {
  mode: 100,
  uid: 108,
  gid: 116,
  size: 124,
  mtime: 136,
  checksum: 148,
  type: 156,
  link: 157,
  magic: 257,
  prefix: 345,
}

/**
 * Packs entries into a tar archive: parents before children, sorted, with one time for all, so that the same entries give
 * the same bytes.
 *
 * @throws For two entries of one path, and for a path that the format cannot hold.
 */
export function tar(entries: readonly Entry[], mtimeS: number): Buffer {
  const all = withFolders(entries)
  const parts = all.flatMap((entry) => {
    const bytes = entry.content instanceof Uint8Array ? entry.content : new Uint8Array()
    return [header(entry, { size: bytes.length, mtimeS }), bytes, Buffer.alloc(padding(bytes.length))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** Adds the folders that hold the entries, for unpackers that do not make them. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const byPath = new Map<string, Entry>()
  for (const entry of entries) {
    if (byPath.has(entry.path)) throw new Error(`${entry.path} is in the layer twice.`)
    byPath.set(entry.path, entry)
  }
  for (const { path } of entries) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (!byPath.has(folder)) byPath.set(folder, { path: folder, mode: 0o755, content: 'folder' })
    }
  }
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function header({ path, mode, owner = 0, content }: Entry, { size, mtimeS }: { size: number; mtimeS: number }): Buffer {
  const block = Buffer.alloc(BLOCK)
  const name = `${path.slice(1)}${content === 'folder' ? '/' : ''}`
  const split = splitAt(name)
  block.write(name.slice(split), 0)
  block.write(name.slice(0, Math.max(split - 1, 0)), AT.prefix)
  octal(block, AT.mode, { value: mode, digits: 7 })
  octal(block, AT.uid, { value: owner, digits: 7 })
  octal(block, AT.gid, { value: owner, digits: 7 })
  octal(block, AT.size, { value: size, digits: 11 })
  octal(block, AT.mtime, { value: mtimeS, digits: 11 })
  const isLink = typeof content === 'object' && 'linkTo' in content
  if (isLink) block.write(content.linkTo, AT.link)
  block.write(content === 'folder' ? '5' : isLink ? '2' : '0', AT.type)
  block.write('ustar\u000000', AT.magic)
  block.fill(' ', AT.checksum, AT.checksum + 8)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${checksum.toString(8).padStart(6, '0')}\u0000 `, AT.checksum)
  return block
}

/** Where the part of a long name begins that is not its prefix. */
function splitAt(name: string): number {
  if (Buffer.byteLength(name) <= NAME_BYTES) return 0
  for (let slash = name.indexOf('/'); slash !== -1 && slash <= PREFIX_BYTES; slash = name.indexOf('/', slash + 1)) {
    const rest = Buffer.byteLength(name.slice(slash + 1))
    if (rest > 0 && rest <= NAME_BYTES) return slash + 1
  }
  throw new Error(`${name} is too long for a tar archive.`)
}

function octal(block: Buffer, at: number, { value, digits }: { value: number; digits: number }): void {
  block.write(value.toString(8).padStart(digits, '0'), at)
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}
