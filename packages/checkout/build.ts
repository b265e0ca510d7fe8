import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type BuildOptions, type OnResolveResult, type Plugin, type StdinOptions, transform } from 'esbuild'
import { minify } from 'terser'
import { target as oldest } from './browsers.ts'
import { directionOf, localeTags, packTexts } from './src/locales/index.ts'
import { languageTags as methodLanguages } from './src/page/methods/texts.ts'

const source = join(import.meta.dirname, 'src')
const target = [...oldest]

/** Where pages are made of server components, the React faces are not: they have state and effects. */
const clientBanner = { js: "'use client'" }

/** Parts with faces of their own, which a page that pins its scripts pins one by one. */
const partsAlone = ['wallets', 'methods'] as const

/** A face brings neither its framework nor a second core: errors of both have to be of one class. */
const face: BuildOptions = {
  format: 'esm',
  minify: false,
  external: ['react'],
  plugins: [redirect(/^\.\.\/index\.ts$/, { path: '../index.js', external: true })],
}

/** The face of such a part is next to the card's and shares its provider, so that pages without it load none of it. */
const faceOfPart: BuildOptions = {
  ...face,
  plugins: [...(face.plugins ?? []), redirect(/^\.\/index\.ts$/, { path: './index.js', external: true })],
}

/** A bundled checkout imports its parts as modules of their own; the script tag's loads them from the vault. */
const partsBeside = [
  redirect(/^\.\/threeds\/authenticate\.ts$/, { path: './threeds.js', external: true }),
  ...partsAlone.map((name) => redirect(RegExp(`^\\./${name}/${name}\\.ts$`), { path: `./${name}.js`, external: true })),
]
const partsPinned = redirect(/^\.\/load-part\.ts$/, { path: join(source, 'page/load-part-pinned.ts') })
const partsFromVault = redirect(/^\.\/load-part\.ts$/, { path: join(source, 'page/load-part-from-vault.ts') })

/** The pinned loaders of all releases, which are served for ever: `pnpm --filter @tillwright/checkout keep` adds today's. */
const keptLoaders = join(import.meta.dirname, 'pinned')

if (import.meta.main) {
  const dist = join(import.meta.dirname, 'dist')
  await buildCheckout(dist)
  if (process.argv.includes('--keep')) await cp(join(dist, 'pinned'), keptLoaders, { recursive: true })
}

/**
 * Builds what the vault serves and what npm gets: `tillwright.js`; `card.html`; `languages/`, which it loads; `index.js`
 * and its faces `react/index.js` and `element/index.js`; and `card.json` with the hashes for the frame's Content-Security-Policy and for the address of the languages. The same
 * source gives the same bytes. `pinned/` has the loader under a name with its hash, with 3-D Secure in it so that nothing
 * is loaded that the page has not pinned, next to those of earlier releases; `pinned.json` says which is today's.
 */
export async function buildCheckout(folder: string): Promise<void> {
  const languages = await readLanguages()
  const languagesHash = createHash('sha256').update(JSON.stringify(languages)).digest('hex').slice(0, 16)
  const define = { LANGUAGES_FOLDER: JSON.stringify(`/v1/languages/${languagesHash}`) }
  const [loader, pinned, index, react, element, form, send, css, html, threeds] = await Promise.all([
    bundle('script-tag.ts', { format: 'iife', plugins: [partsFromVault] }).then(squeezeLoader),
    bundle('script-tag.ts', { format: 'iife', plugins: [partsPinned] }).then(squeezeLoader),
    bundle('index.ts', { format: 'esm', minify: false, plugins: partsBeside }),
    bundle('react/index.ts', { ...face, banner: clientBanner }),
    bundle('element/index.ts', face),
    bundle('frame/main.ts', { format: 'iife', define }).then((script) => squeeze(script)),
    bundle('frame/send.ts', { format: 'iife' }).then((script) => squeeze(script)),
    readFile(join(source, 'frame/card.css'), 'utf8'),
    readFile(join(source, 'frame/card.html'), 'utf8'),
    bundle('page/threeds/authenticate.ts', { format: 'esm' }).then((script) => squeeze(script, { module: true })),
  ])
  const style = (await transform(css, { loader: 'css', minify: true, target })).code.trim()
  const hashes = { scripts: [form, send].map(cspHash), style: cspHash(style), languages: languagesHash }
  const folders = ['languages', 'react', 'element']
  await Promise.all(folders.map((name) => mkdir(join(folder, name), { recursive: true })))
  await Promise.all([
    writeFile(join(folder, 'tillwright.js'), loader),
    writeFile(join(folder, 'index.js'), index),
    writeFile(join(folder, 'react/index.js'), react),
    writeFile(join(folder, 'element/index.js'), element),
    writeFile(join(folder, 'card.html'), inline(html, style, [form, send])),
    writeFile(join(folder, 'card.json'), `${JSON.stringify(hashes)}\n`),
    writeFile(join(folder, 'threeds.js'), threeds),
    buildThreedsFrame(folder),
    writePinned(folder, pinned),
    writeMethodLanguages(folder),
    ...partsAlone.map((name) => buildPart(folder, name)),
    ...languages.map(([tag, text]) => writeFile(join(folder, `languages/${tag}.json`), text)),
  ])
}

/** A part as a module, and its faces. */
async function buildPart(folder: string, name: (typeof partsAlone)[number]): Promise<void> {
  const [part, react, element] = await Promise.all([
    bundle(`page/${name}/${name}.ts`, { format: 'esm' }).then((script) => squeeze(script, { module: true })),
    bundle(`react/${name}.ts`, { ...faceOfPart, banner: clientBanner }),
    bundle(`element/${name}.ts`, faceOfPart),
  ])
  await Promise.all([
    writeFile(join(folder, `${name}.js`), part),
    writeFile(join(folder, `react/${name}.js`), react),
    writeFile(join(folder, `element/${name}.js`), element),
  ])
}

/** `pinned/<name>-<the beginning of its SHA-256>.js` of the loader and of each part, and those that were kept. */
async function writePinned(folder: string, loader: string): Promise<void> {
  const parts = await Promise.all(partsAlone.map(async (name) => ({ name, script: await bundlePinned(name) })))
  const scripts = [{ name: 'tillwright', script: loader }, ...parts].map(({ name, script }) => {
    const hash = createHash('sha256').update(script).digest('hex').slice(0, 16)
    return { name, file: `${name}-${hash}.js`, script }
  })
  await rm(join(folder, 'pinned'), { recursive: true, force: true })
  await cp(keptLoaders, join(folder, 'pinned'), { recursive: true, filter: (path) => !path.endsWith('.md') })
  const files = Object.fromEntries(scripts.map(({ name, file }) => [name, file]))
  await Promise.all([
    ...scripts.map(({ file, script }) => writeFile(join(folder, 'pinned', file), script)),
    writeFile(join(folder, 'pinned.json'), `${JSON.stringify(files)}\n`),
  ])
}

/** A part for pages that pin their scripts: it stands after the loader, which finds it where this puts it. */
async function bundlePinned(name: string): Promise<string> {
  const contents = `import { ${name} } from './page/${name}/${name}.ts'\nwindow.Tillwright.${name} = ${name}`
  const script = await bundle({ contents, resolveDir: source }, { format: 'iife' })
  return squeeze(script)
}

/** `threeds.html`, and `threeds.json` with the hashes for its policy and what the vault writes into it, by language. */
async function buildThreedsFrame(folder: string): Promise<void> {
  const [script, texts, css, html] = await Promise.all([
    bundle('threeds-frame/main.ts', { format: 'iife' }).then((bundled) => squeeze(bundled)),
    readFile(join(source, 'threeds-frame/texts.json'), 'utf8'),
    readFile(join(source, 'threeds-frame/threeds.css'), 'utf8'),
    readFile(join(source, 'threeds-frame/threeds.html'), 'utf8'),
  ])
  const style = (await transform(css, { loader: 'css', minify: true, target })).code.trim()
  const languages = Object.entries<object>(JSON.parse(texts)).map(([lang, text]) => [
    lang,
    { lang, dir: directionOf(lang), ...text },
  ])
  const parts = { scripts: [cspHash(script)], style: cspHash(style), texts: Object.fromEntries(languages) }
  await Promise.all([
    writeFile(join(folder, 'threeds.html'), inline(html, style, [script])),
    writeFile(join(folder, 'threeds.json'), `${JSON.stringify(parts)}\n`),
  ])
}

/** The file of every language but English, which the frame has with it. */
function readLanguages(): Promise<[tag: string, text: string][]> {
  return Promise.all(
    localeTags.map(async (tag): Promise<[string, string]> => {
      const texts: object = JSON.parse(await readFile(join(source, `locales/languages/${tag}.json`), 'utf8'))
      return [tag, JSON.stringify(packTexts({ ...texts, locale: tag }))]
    }),
  )
}

/** The languages of the methods, which pages load from the vault. */
async function writeMethodLanguages(folder: string): Promise<void> {
  await mkdir(join(folder, 'methods'), { recursive: true })
  await Promise.all(
    methodLanguages.map(async (tag) => {
      const texts: unknown = JSON.parse(await readFile(join(source, `page/methods/languages/${tag}.json`), 'utf8'))
      await writeFile(join(folder, `methods/${tag}.json`), JSON.stringify(texts))
    }),
  )
}

/** Resolves imports of this form to something else. */
function redirect(filter: RegExp, goal: OnResolveResult): Plugin {
  return { name: String(filter), setup: ({ onResolve }) => onResolve({ filter }, () => goal) }
}

async function bundle(entry: string | StdinOptions, options: BuildOptions): Promise<string> {
  const result = await build({
    ...(typeof entry === 'string' ? { entryPoints: [join(source, entry)] } : { stdin: entry }),
    bundle: true,
    minify: true,
    platform: 'browser',
    charset: 'utf8',
    legalComments: 'none',
    target,
    // Later versions of Unicode have more letters and digits; that makes the syntax no younger.
    supported: { 'regexp-unicode-property-escapes': true },
    ...options,
    write: false,
  })
  return (result.outputFiles[0]?.text ?? '').trim()
}

/**
 * Minifies what every buyer loads: terser saves another twentieth after esbuild, because it makes several passes. Its
 * two assumptions hold in our sources: no plain function is called with `new` or asked for its `prototype` or
 * `arguments` (`unsafe_arrows`), and no getter does anything but read (`pure_getters`).
 */
async function squeeze(script: string, { module = false } = {}): Promise<string> {
  const compress = { passes: 5, lhs_constants: false, unsafe_arrows: true, pure_getters: true }
  const { code = '' } = await minify(script, { ecma: 2020, module, compress, format: { comments: false } })
  return code
}

/** The loader is spared the words "use strict": nothing in it but its class, which is strict anyway, depends on them. */
function squeezeLoader(script: string): Promise<string> {
  return squeeze(script, { module: true })
}

/** Puts style and scripts between their tags, in their order, and drops comments and the space between tags. */
function inline(html: string, style: string, scripts: readonly string[]): string {
  const small = html
    .replace(/<!--.*?-->/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?(\/?>) ?/g, (_, end: string) => end)
    .replace(/ </g, '<')
  // Replaced by functions, because a `$` in the code would otherwise mean something.
  const styled = small.replace('<style></style>', () => `<style>${style}</style>`)
  return scripts.reduce((page, script) => page.replace('<script></script>', () => `<script>${script}</script>`), styled)
}

function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
