import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readEnvironment, readJsxRuntime, type JsxRuntime, type Plugin } from '@tillwright/plugin-build'
import { createServer, normalizePath, searchForWorkspaceRoot, type PluginOption, type ViteDevServer } from 'vite'
import { STATE_FOLDER } from '../binding/state-file.ts'
import { readFilled } from '../watch/filled.ts'
import { MODULES_PATH } from './addresses.ts'
import { refreshAtOnce } from './refresh-at-once.ts'

/** The module that every page loads first: from the sources as they are, or as they were built. */
const clientFile = fileURLToPath(
  new URL(`../client/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)

/** Its address in a page. */
export const clientAddress = `${MODULES_PATH}@fs/${clientFile.replaceAll('\\', '/').replace(/^\//, '')}`

/** What modules are served from. */
export interface ModulesOptions {
  plugin: Pick<Plugin, 'root' | 'pages'>
  /** Its web socket tells pages of changes. */
  server: Server
  /** The process's own variables. */
  environment: Readonly<Record<string, string | undefined>>
}

/**
 * Vite for the modules of a plugin alone: no files of its own, no overlay and no watcher, which would tell of some quick
 * writes too late. What changes is told to `watcher` by us.
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
    plugins: [readFilledModules(root), await refresh(jsx)],
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
      allowedHosts: [], // beside Vite's own, which are addresses of numbers and names under localhost
      fs: { allow: [root, searchForWorkspaceRoot(root), dirname(clientFile)] },
    },
  })
}

/** What is text of the plugin's own, and nothing that Vite would rather have the address of. */
const written = /\.(?:[cm]?[jt]sx?|css|s[ac]ss|less|json)$/

/** A module that was asked for while its file was being written anew would accept no change, since it seems to be empty. */
function readFilledModules(root: string): PluginOption {
  const own = `${normalizePath(root)}/`
  return {
    name: 'tillwright:filled',
    enforce: 'pre',
    load: (id) =>
      id.startsWith(own) && !id.includes('/node_modules/') && written.test(id) ? readFilled(id) : Promise.resolve(null),
  }
}

/** As in a build, but for what tells development from production. */
function variables(root: string, environment: ModulesOptions['environment']): Record<string, string> {
  const { shown } = readEnvironment(root, environment)
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
  )
}

/** What keeps the state of components when their modules change; the one that is needed is loaded. */
async function refresh(jsx: JsxRuntime): Promise<PluginOption> {
  if (jsx === 'react') return (await import('@vitejs/plugin-react')).default()
  const { default: plugin } = await import('@prefresh/vite')
  return [await plugin(), refreshAtOnce()]
}
