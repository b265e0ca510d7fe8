import { relative } from 'node:path'
import type { Loader, Plugin } from 'esbuild'

const images = ['avif', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'webp']
const fonts = ['eot', 'otf', 'ttf', 'woff', 'woff2']
const media = ['aac', 'flac', 'm4a', 'mp3', 'mp4', 'oga', 'ogg', 'ogv', 'wav', 'webm']
/** Of files that are neither code nor text: they keep their bytes and get an address. */
export const assetEndings: readonly string[] = [...images, ...fonts, ...media, 'pdf', 'wasm', 'webmanifest']

/** For esbuild: such a file is copied under a name with its hash. */
export const assetLoaders: Readonly<Record<string, Loader>> = Object.fromEntries(
  assetEndings.map((ending) => [`.${ending}`, 'file']),
)

const isAsset = new RegExp(`\\.(?:${assetEndings.join('|')})$`, 'i')
const NAMESPACE = 'address'

/**
 * Makes the import of an image, a font or such in a module an absolute address. esbuild gives one that is relative to the
 * script, and a browser would look for it from the page's path.
 */
export function assetAddresses(root: string): Plugin {
  return {
    name: 'asset-addresses',
    setup(build) {
      build.onResolve({ filter: isAsset }, async ({ path, kind, importer, namespace, resolveDir }) => {
        // Styles are resolved from where they stand; and what stands below is to get the file itself.
        if (kind === 'url-token' || kind === 'import-rule' || namespace === NAMESPACE || kind === 'entry-point')
          return null
        const found = await build.resolve(path, { kind: 'url-token', importer, resolveDir })
        if (found.errors.length > 0) return { errors: found.errors }
        return { path: relative(root, found.path).replaceAll('\\', '/'), namespace: NAMESPACE }
      })
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        // Relative, because a map would tell of the machine's folders.
        contents: `import file from ${JSON.stringify(`./${path}`)}
export default new URL(file, import.meta.url).href`,
        resolveDir: root,
      }))
    },
  }
}
