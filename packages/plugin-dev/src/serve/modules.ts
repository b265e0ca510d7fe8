import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type JsxRuntime, type Plugin, readEnvironment, readJsxRuntime } from '@tillwright/plugin-build'
import {
  createServer,
  normalizePath,
  type PluginOption,
  searchForWorkspaceRoot,
  type ViteDevServer,
  type Plugin as VitePlugin,
} from 'vite'
import { STATE_FOLDER } from '../local-state.ts'
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
  return createServer({
    root,
    base: MODULES_PATH,
    configFile: false,
    envDir: false,
    publicDir: false,
    appType: 'custom',
    mode: 'development',
    logLevel: 'silent',
    cacheDir: join(root, STATE_FOLDER, 'vite'),
    define: variables(root, environment),
    plugins: [waitForWrittenModules(root), await refresh(jsx)],
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

/** Extensions of the plugin's own text modules, which Vite does not serve by address. */
const written = /\.(?:[cm]?[jt]sx?|css|s[ac]ss|less|json)$/

/**
 * Waits for files that are being written: a module that was read while its file was still empty would not accept
 * updates.
 */
function waitForWrittenModules(root: string): PluginOption {
  const own = `${normalizePath(root)}/`
  return {
    name: 'tillwright:filled',
    enforce: 'pre',
    load: (id) =>
      id.startsWith(own) && !id.includes('/node_modules/') && written.test(id)
        ? readWhenWritten(id)
        : Promise.resolve(null),
  }
}

/** As in a build, except for the mode. */
function variables(root: string, environment: ModulesOptions['environment']): Record<string, string> {
  const { shown } = readEnvironment(root, environment)
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
    transform: (code) => (exchanges.test(code) ? { code: `${code}\n${exchange}`, map: null } : null),
  }
}

/** As it does itself where a component cannot be exchanged. */
const exchange = 'if (import.meta.hot) try { flushUpdates() } catch { self.location.reload() }\n'
