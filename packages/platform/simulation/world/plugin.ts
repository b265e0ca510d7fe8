import { createHash } from 'node:crypto'

/** The shop's plugin, of which several authors deploy versions. */
export const PLUGIN_ID = 'world-page'
export const DEPLOY_PATH = '/api/public/v1/plugins/v2/deploy'

/** A build of the plugin. Two builds of one version may differ. */
export interface Bundle {
  version: string
  /** The texts of the files by their paths: a document, files that it names, and others. */
  files: ReadonlyMap<string, string>
}

/** A file of a bundle, in the shape of the API. */
export interface BundleFile {
  path: string
  sha256: string
  size: number
  content: string
}

/** The path of the one document. */
export const DOCUMENT = 'index.html'
/** A file without a hash in its name: on a host whose deployment changes it may be of another version than the page. */
export const UNHASHED = 'logo.svg'

/** Builds a version. @param mark Distinguishes builds of the same version. */
export function bundleOf(version: string, mark: string): Bundle {
  const build = `${version} by ${mark}`
  const script = `console.log(${JSON.stringify(build)})\n`.repeat(3)
  const style = `/* ${build} – für alle */\nbody { margin: 0 }\n`
  const shared = 'export const always = "the same"\n'
  const names = {
    script: hashedName('app', 'js', script),
    style: hashedName('style', 'css', style),
    shared: hashedName('shared', 'js', shared),
  }
  const document = `<!doctype html><html><head><title>${build}</title><link rel="stylesheet" href="${names.style}"></head><body><img src="${UNHASHED}"><script src="${names.script}"></script><script src="${names.shared}"></script></body></html>`
  return {
    version,
    files: new Map([
      [DOCUMENT, document],
      [names.script, script],
      [names.style, style],
      [names.shared, shared],
      [UNHASHED, `<svg xmlns="http://www.w3.org/2000/svg"><title>${build}</title></svg>`],
    ]),
  }
}

/** A file name as bundlers make it, with a hash of the content. */
function hashedName(name: string, ending: string, text: string): string {
  return `assets/${name}-a1${sha256Of(text).slice(0, 14)}.${ending}`
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function filesOf({ files }: Bundle): BundleFile[] {
  return [...files].map(([path, content]) => ({
    path,
    content,
    sha256: sha256Of(content),
    size: Buffer.byteLength(content),
  }))
}

/** The body of a deployment. `named`: its files are uploaded already, and given by their hashes. */
export function deploymentOf(bundle: Bundle, { storeId, named = false, ...options }: DeployOptions): object {
  return {
    storeId,
    manifest: {
      pluginId: PLUGIN_ID,
      name: 'Page of the world',
      version: bundle.version,
      pages: [{ id: 'home', path: '/' }],
    },
    inlineAssets: filesOf(bundle).map(({ path, sha256, size, content }) =>
      named ? { path, sha256, size } : { path, content },
    ),
    ...options,
  }
}

interface DeployOptions {
  storeId: string
  named?: boolean
  activate?: boolean
  overwrite?: boolean
}

/** People's memory of the plugin, compared with the platform's state. */
export interface PluginMemory {
  /** Every bundle sent for deployment. */
  sent: Bundle[]
  /** Acknowledged deployments, by their ids. */
  deployed: Map<string, Deployed>
  /** Acknowledged activations. */
  activated: { deploymentId: string; atMs: number }[]
  /** Acknowledged values of settings. Each name has one writer. */
  settings: WrittenSetting[]
  visits: Visit[]
  /** Answers that no client should have received. */
  refused: string[]
}

export interface Deployed {
  bundle: Bundle
  /** When the deployment was first requested, and whether it was to be active at once. */
  sentMs: number
  isActivated: boolean
}

/** A preset's or template's setting, whose values only ever grow. */
export interface WrittenSetting {
  deploymentId: string
  kind: 'preset' | 'template'
  setting: string
  name: string
  value: number
  ackedMs: number
}

/** A page that was opened, with the files that it names. */
export interface Visit {
  /** Whether it was on the host of the active deployment, or on the deployment's own. */
  isLive: boolean
  host: string
  fromMs: number
  status: number
  html: string
  assets: { path: string; status: number; text: string }[]
}

/** The memory at the start of a world. */
export function newPluginMemory({ id, bundle }: { id: string; bundle: Bundle }): PluginMemory {
  const deployed = new Map([[id, { bundle, sentMs: 0, isActivated: false }]])
  return { sent: [bundle], deployed, activated: [], settings: [], visits: [], refused: [] }
}
