import type { Server } from 'node:http'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  filesOf,
  type JsxRuntime,
  type Plugin,
  readEnvironment,
  readJson,
  readJsxRuntime,
} from '@tillwright/plugin-build'
import {
  createServer,
  normalizePath,
  type PluginOption,
  searchForWorkspaceRoot,
  type ViteDevServer,
  type Plugin as VitePlugin,
} from 'vite'
import { stateFolder } from '../local-state.ts'
import { MODULES_PATH } from '../protocol.ts'
import { readWhenWritten } from '../watch/index.ts'

/** The module that every page loads first: from the sources as they are, or as they were built. */
const clientFile = fileURLToPath(
  new URL(`../client/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)

/** Its address in a page. */
export const clientAddress = `${MODULES_PATH}@fs/${clientFile.replaceAll('\\', '/').replace(/^\//, '')}`

/** Options of `createModules`. */
export interface ModulesOptions {
  plugin: Pick<Plugin, 'root' | 'pages'>
  /** Carries Vite's web socket. */
  server: Server
  /** The process's own variables. */
  environment: Readonly<Record<string, string | undefined>>
}

/**
 * Vite for the modules of a plugin only: no public files, no overlay and no watcher, which would notice some quick
 * writes too late. Changes are emitted on `watcher` by us.
 */
export async function createModules({ plugin, server, environment }: ModulesOptions): Promise<ViteDevServer> {
  const { root, pages } = plugin
  const jsx = readJsxRuntime(root)
  const isOwn = servedFiles(root)
  return createServer({
    root,
    base: MODULES_PATH,
    configFile: false,
    envDir: false,
    publicDir: false,
    appType: 'custom',
    mode: 'development',
    logLevel: 'silent',
    cacheDir: await stateFolder(root, 'vite'),
    define: await variables(root, environment),
    plugins: [ownFilesOnly(isOwn), cssOnly(), waitForWrittenModules(root), await refresh(jsx)],
    // None of the folder's programs, which are no part of a build.
    css: { postcss: { plugins: [ownImportsOnly(isOwn)] } },
    oxc: { jsx: { runtime: 'automatic', importSource: jsx } },
    resolve: { dedupe: ['preact', 'react', 'react-dom'] },
    optimizeDeps: {
      entries: [...new Set(pages.map(({ entry }) => entry))].filter((entry) => entry !== ''),
      exclude: ['@tillwright/plugin-build', '@tillwright/plugin-dev'],
    },
    server: {
      middlewareMode: true,
      hmr: { server, overlay: false },
      watch: null,
      cors: false,
      allowedHosts: [], // none but Vite's own: IP addresses and names under localhost
      fs: { allow: [root, searchForWorkspaceRoot(root), dirname(clientFile)] },
    },
  })
}

/** The entries of `package.json` and of the compiler's options that change what modules are made of. */
const entriesThatCount = {
  'package.json': ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'imports', 'type'],
  'tsconfig.json': [
    'alwaysStrict',
    'baseUrl',
    'emitDecoratorMetadata',
    'experimentalDecorators',
    'extends',
    'jsx',
    'jsxFactory',
    'jsxFragmentFactory',
    'jsxImportSource',
    'paths',
    'target',
    'useDefineForClassFields',
    'verbatimModuleSyntax',
  ],
} as const

/**
 * Identifies what modules are made with: variables, packages and options of the compiler. While it stays the same they
 * need not be made anew, whatever else is written into these files.
 *
 * @returns `null` while one of them cannot be read, as when half of it is written.
 */
export async function modulesKey(root: string, environment: ModulesOptions['environment']): Promise<string | null> {
  const files = Object.entries(entriesThatCount).map(async ([file, names]) => {
    const { document, findings } = await readJson(root, file)
    const isBroken = document === null && findings.some(({ problem }) => problem.code !== 'file-missing')
    if (isBroken) return null
    const value = Object(document?.value)
    const said = { ...value, ...Object(value['compilerOptions']) }
    return names.map((name) => said[name] ?? null)
  })
  const read = await Promise.all(files)
  return read.includes(null) ? null : JSON.stringify([(await readEnvironment(root, environment)).shown, read])
}

/** Extensions of the plugin's own text modules, which Vite does not serve by address. */
const written = /\.(?:[cm]?[jt]sx?|css|json)$/

/**
 * Waits for files that are being written: a module that was read while its file was still empty would not accept
 * updates.
 */
function waitForWrittenModules(root: string): PluginOption {
  const own = `${normalizePath(root)}/`
  return {
    name: 'tillwright:wait-until-written',
    enforce: 'pre',
    load: (id) =>
      id.startsWith(own) && !id.includes('/node_modules/') && written.test(id)
        ? readWhenWritten(id)
        : Promise.resolve(null),
  }
}

/** Which files a page may have: those of the plugin and its packages, as in a build, and those of our client. */
export function servedFiles(root: string): (path: string) => boolean {
  return filesOf(root, [join(dirname(clientFile), '..')])
}

/** The file that an address of a module names, whether it is there or not. */
export function fileOfAddress(root: string, address: string): string {
  const [, absolute] = /^@fs\/+(.*)$/.exec(address) ?? []
  if (absolute === undefined) return join(root, address)
  return process.platform === 'win32' ? absolute : `/${absolute}`
}

/**
 * Refuses modules from elsewhere on this machine, as a build does: a page could send on what it has read there, such as keys of
 * whoever runs a plugin of somebody else.
 */
function ownFilesOnly(isOwn: (path: string) => boolean): VitePlugin {
  return {
    name: 'tillwright:own-files-only',
    enforce: 'pre',
    load(id) {
      const file = id.replace(/[?#].*$/, '')
      if (isAbsolute(file) && !isOwn(file)) throw new Error(leadsOut(file))
    },
  }
}

/** The same for what style sheets import, which is read into them before any plugin sees it. */
function ownImportsOnly(isOwn: (path: string) => boolean): PostcssPlugin {
  return {
    postcssPlugin: 'tillwright-own-imports-only',
    OnceExit(_, { result }) {
      for (const { type, file } of result.messages)
        if (type === 'dependency' && typeof file === 'string' && !isOwn(file)) throw new Error(leadsOut(file))
    },
  }
}

function leadsOut(file: string): string {
  return `${file} is outside of the plugin's folder, and of no package: move it into the folder, or install it as a package.`
}

/** The part of PostCSS's plugins that is used here. */
interface PostcssPlugin {
  postcssPlugin: string
  OnceExit: (root: unknown, helpers: { result: { messages: readonly { type: string; file?: unknown }[] } }) => void
}

/** Styles that Vite would have a program of the folder's own packages compile, by whatever part of the address it tells them. */
const compiledElsewhere = /\.(?:s[ac]ss|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/

/** Refuses styles in other languages, as a build does. */
function cssOnly(): VitePlugin {
  return {
    name: 'tillwright:css-only',
    enforce: 'pre',
    load(id) {
      if (compiledElsewhere.test(id))
        throw new Error(`${id} is no CSS, which alone is built; compile it into a .css file.`)
    },
  }
}

/** As in a build, except for the mode. */
async function variables(root: string, environment: ModulesOptions['environment']): Promise<Record<string, string>> {
  const { shown } = await readEnvironment(root, environment)
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
  )
}

/** The plugin that keeps the state of components when their modules change. */
async function refresh(jsx: JsxRuntime): Promise<PluginOption> {
  if (jsx === 'react') return (await import('@vitejs/plugin-react')).default()
  const { default: plugin } = await import('@prefresh/vite')
  return [await plugin(), refreshAtOnce()]
}

/**
 * The code that Preact's refresh adds to a module with components: it swaps them after all modules of an update have
 * run.
 */
const exchanges = /\bimport \{ flush as flushUpdates \} from\b/

/**
 * Lets each module exchange its components as soon as it has run. A module behind it may show the page anew, as entries that
 * have a component of their own do; Preact's refresh would then exchange components that are no longer in the page, take
 * those that are for gone, and show no later edit of them.
 */
function refreshAtOnce(): VitePlugin {
  return {
    name: 'tillwright:refresh-at-once',
    apply: 'serve',
    transform: (code) =>
      exchanges.test(code) ? { code: `${code.replaceAll(reload, restart)}\n${exchange}`, map: null } : null,
  }
}

/** Vite's reaction when a component cannot be exchanged, and the one of our client that replaces it. */
const reload = 'self.location.reload()'
const restart = "document.dispatchEvent(new Event('tillwright:restart'))"
const exchange = `if (import.meta.hot) try { flushUpdates() } catch { ${restart} }\n`
