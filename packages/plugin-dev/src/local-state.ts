import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthorError } from './author-error.ts'

/** The plugin's folder for local state; git ignores it. */
const STATE_FOLDER = '.tillwright'

/** The objects that a dev server has made in one account, for the next start. */
export interface KeptShop {
  storeId: string
  productId: string
  funnelId: string
  /** Publishable keys by the origins that they are good on, divided by spaces. */
  publishableKeys: Readonly<Record<string, string>>
}

/** The stored objects of an account, or `null`. */
export async function readKept(root: string, accountId: string): Promise<KeptShop | null> {
  return (await readAll(root))[accountId] ?? null
}

/** Stores the objects of an account, readable by its owner only. The file is replaced atomically. */
export async function writeKept(root: string, accountId: string, shop: KeptShop): Promise<void> {
  const file = join(await stateFolder(root), 'dev.json')
  await writeState(file, `${JSON.stringify({ ...(await readAll(root)), [accountId]: shop }, null, 2)}\n`)
}

/**
 * The folder of local state, or one in it, created if it does not exist.
 *
 * @param names The folders below it.
 * @throws {LinkedState} As `ownFolder`.
 */
export async function stateFolder(root: string, ...names: readonly string[]): Promise<string> {
  const folder = await ownFolder(root, [STATE_FOLDER], 0o700)
  await writeState(join(folder, '.gitignore'), '*\n')
  return ownFolder(folder, names)
}

/**
 * A folder below another one, created if it does not exist.
 *
 * @throws {LinkedState} Where one of the names is a link, as a repository from somebody else can bring one.
 */
export async function ownFolder(parent: string, names: readonly string[], mode = 0o777): Promise<string> {
  let folder = parent
  for (const name of names) {
    folder = join(folder, name)
    if ((await lstat(folder).catch(() => null))?.isSymbolicLink()) throw new LinkedState(folder)
    await mkdir(folder, { recursive: true, mode })
  }
  return folder
}

/** Writes a file that its owner alone can read. What was there is replaced and not written into: it may be a link. */
export async function writeState(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}-${(drafts += 1)}`
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

let drafts = 0

/** A folder is a link, so that what belongs there would be written elsewhere. */
export class LinkedState extends AuthorError {
  override readonly name = 'LinkedState'

  constructor(folder: string) {
    super(`${folder} is a link, so that what is kept there would be written elsewhere: delete it. Nothing was written.`)
  }
}

/** Nothing where there is no file, or one that was cut off: all of it can be made anew. */
async function readAll(root: string): Promise<Record<string, KeptShop>> {
  try {
    return Object(JSON.parse(await readFile(join(root, STATE_FOLDER, 'dev.json'), 'utf8')))
  } catch {
    return {}
  }
}
