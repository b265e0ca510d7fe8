import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { licensesOf } from '../../.ci/licenses-of.ts'

const folder = join(import.meta.dirname, 'dist')
const cli = join(import.meta.dirname, '../cli')
const shop = join(import.meta.dirname, '../../apps/demo-shop')
const platform = join(import.meta.dirname, '../platform')

/** Zod brings its messages in fifty languages, 400 KB that each start would read. Ours are in the contract, in English. */
const englishAlone: Plugin = {
  name: 'english-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    })),
}

/** Globals of CommonJS that bundled packages expect in each file. */
const commonJs = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename`

/**
 * Builds the npm package: the command line and the platform in one folder of chunks, the platform's threads next to
 * them, and the licenses of everything included. What is left out are the files that the platform serves, which
 * packages of their own have, programs of this machine (esbuild), and what few install (keys in other people's vaults,
 * the dev server).
 */
await rm(folder, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: {
    'demo-shop/src/server': join(shop, 'src/server.ts'), // finds its page next to its folder
    main: join(cli, 'src/main.ts'),
    writer: join(platform, 'src/storage/sqlite/writer.ts'),
    'body-worker': join(platform, 'src/http/bodies/body-worker.ts'),
    'egress-sender': join(platform, 'src/events/egress-sender.ts'),
    'schema-worker': join(platform, 'src/plugins/settings/schema-worker.ts'),
    'ranges-worker': join(platform, 'src/threeds/directory/ranges-worker.ts'),
  },
  outdir: folder,
  chunkNames: '[name]-[hash]', // next to the threads, which are found from where the code is that starts them
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.22',
  mainFields: ['module', 'main'], // as the command line is bundled
  external: ['@aws-sdk/client-kms', '@google-cloud/kms', '@tillwright/plugin-dev', 'esbuild', 'pg-native', 'pkcs11js'],
  banner: { js: commonJs },
  minifySyntax: true,
  minifyWhitespace: true, // names are kept for readable stack traces
  charset: 'ascii', // one letter beyond Latin-1 would double what V8 keeps of a chunk's text
  plugins: [englishAlone],
  legalComments: 'none', // licenses are in a file of their own
  logLevel: 'warning',
  metafile: true,
})
await writeFile(join(folder, 'LICENSES.txt'), await licensesOf(metafile, import.meta.dirname))
await copyFile(join(cli, 'launch/bring-node.mjs'), join(folder, 'bring-node.mjs'))
await cp(join(shop, 'page'), join(folder, 'demo-shop/page'), {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
})
const launcher = await readFile(join(cli, 'launch/tillwright.mjs'), 'utf8')
await writeFile(join(folder, 'tillwright.mjs'), launcher.replace('../dist/main.js', './main.js'), { mode: 0o755 })
