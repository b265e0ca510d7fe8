import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'

/** The hashes of a frame's scripts and its one style, as a Content-Security-Policy names them: `sha256-...`. */
export interface FrameHashes {
  scripts: readonly string[]
  style: string
}

/** The languages of the card form. */
export interface LanguageFiles {
  /** Changes with the content of any of them, so that an address has one content for ever. */
  hash: string
  /** `fr.json` -> its content. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** Texts of the 3-D Secure frame in one language. */
export interface ThreedsTexts {
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  title: string
  cancel: string
  /** Tells the buyer that the bank asks in its app. */
  elsewhere: string
}

/** The built 3-D Secure frame. */
export interface ThreedsFiles {
  /** `{{frame}}`, `{{lang}}`, `{{dir}}`, `{{title}}`, `{{cancel}}` and `{{elsewhere}}` stand where settings and texts go. */
  html: string
  hashes: FrameHashes
  /** Language -> its texts; `en` is always there. */
  texts: ReadonlyMap<string, ThreedsTexts>
}

/** The loaders whose address has their hash in it, so that a page may name theirs with `integrity`. */
export interface PinnedLoaders {
  /** The name of today's, and what `integrity` has to say of it. */
  current: { file: string; integrity: string }
  /** The same of the scripts that a page pins, too, which shows wallets, or the methods besides cards. */
  wallets: { file: string; integrity: string }
  methods: { file: string; integrity: string }
  /** `tillwright-0123456789abcdef.js` -> its content, of this release and the earlier ones. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** The built files of the checkout that the vault's origin serves, or why there are none. */
export type FrameFiles =
  | {
      outcome: 'read'
      loader: Buffer
      pinned: PinnedLoaders
      /** `{{frame}}` stands where settings go: at the end, so that what is before it is the same for everybody. */
      cardHtml: string
      hashes: FrameHashes
      languages: LanguageFiles
      /** Loaded when a payment requires authentication. */
      threedsScript: Buffer
      /** Loaded by pages that show wallets. */
      walletsScript: Buffer
      /** Loaded by pages that show methods besides cards. */
      methodsScript: Buffer
      /** `fr.json` -> the methods' texts. */
      methodLanguages: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
      threeds: ThreedsFiles
    }
  | { outcome: 'not_built'; message: string }

/**
 * Reads the built checkout.
 *
 * @param folder Where it lies: by default in the installed package `@tillwright/checkout`.
 */
export async function readFrameFiles(folder: URL = builtCheckout()): Promise<FrameFiles> {
  try {
    const [loader, threedsScript, walletsScript, methodsScript] = await Promise.all([
      readFile(new URL('tillwright.js', folder)),
      readFile(new URL('threeds.js', folder)),
      readFile(new URL('wallets.js', folder)),
      readFile(new URL('methods.js', folder)),
    ])
    const [pinned, cardHtml, json, files, methodLanguages, threeds] = await Promise.all([
      readPinned(folder),
      readFile(new URL('card.html', folder), 'utf8'),
      readFile(new URL('card.json', folder), 'utf8'),
      readFolder(new URL('languages/', folder)),
      readFolder(new URL('methods/', folder)),
      readThreeds(folder),
    ])
    const { languages: hash, ...hashes } = builtHashes.parse(JSON.parse(json))
    const scripts = { loader, threedsScript, walletsScript, methodsScript }
    const languages = { hash, files }
    return { outcome: 'read', ...scripts, pinned, cardHtml, hashes, languages, methodLanguages, threeds }
  } catch (error) {
    if (isMissingFile(error)) return { outcome: 'not_built', message: 'The checkout is not built: run `pnpm build`.' }
    throw error
  }
}

const hash = z.string().regex(/^sha256-[A-Za-z0-9+/]{43}=$/)
const builtHashes = z.object({ scripts: z.array(hash), style: hash, languages: z.string().regex(/^[0-9a-f]{16}$/) })

const builtPinned = z.object({
  tillwright: z.string().regex(/^tillwright-[0-9a-f]{16}\.js$/),
  wallets: z.string().regex(/^wallets-[0-9a-f]{16}\.js$/),
  methods: z.string().regex(/^methods-[0-9a-f]{16}\.js$/),
})

const builtThreeds = z.object({
  scripts: z.array(hash),
  style: hash,
  texts: z.record(
    z.string(),
    z.object({
      lang: z.string(),
      dir: z.enum(['ltr', 'rtl']),
      title: z.string(),
      cancel: z.string(),
      elsewhere: z.string(),
    }),
  ),
})

async function readThreeds(folder: URL): Promise<ThreedsFiles> {
  const [html, json] = await Promise.all([
    readFile(new URL('threeds.html', folder), 'utf8'),
    readFile(new URL('threeds.json', folder), 'utf8'),
  ])
  const { texts, ...hashes } = builtThreeds.parse(JSON.parse(json))
  return { html, hashes, texts: new Map(Object.entries(texts)) }
}

async function readPinned(folder: URL): Promise<PinnedLoaders> {
  const { tillwright, wallets, methods } = builtPinned.parse(
    JSON.parse(await readFile(new URL('pinned.json', folder), 'utf8')),
  )
  const files = await readFolder(new URL('pinned/', folder))
  for (const [name, bytes] of files) {
    const hex = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    // Pages rely on it that an address has one content for ever.
    if (name.replace(/^(tillwright|wallets|methods)-/, '') !== `${hex}.js`)
      throw new Error(`${name} of the built checkout has another hash: rebuild it.`)
  }
  const pinned = (name: string) => {
    const digest = createHash('sha384').update(files.get(name) ?? '')
    return { file: name, integrity: `sha384-${digest.digest('base64')}` }
  }
  return { current: pinned(tillwright), wallets: pinned(wallets), methods: pinned(methods), files }
}

async function readFolder(folder: URL): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, folder)))] as const),
    ),
  )
}

function builtCheckout(): URL {
  return new URL('./', import.meta.resolve('@tillwright/checkout/dist/card.html'))
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
