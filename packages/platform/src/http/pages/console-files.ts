import { readdir, readFile } from 'node:fs/promises'
import { SharedBytes } from '../../runtime/index.ts'

/** The built files of the console, or why there are none. */
export type ConsoleFiles =
  | { outcome: 'not_built'; message: string }
  | {
      outcome: 'read'
      html: SharedBytes
      headers: Readonly<Record<string, string>>
      /** The same, of the one page that shows a plugin's page in a frame. */
      framingHeaders: Readonly<Record<string, string>>
      /** By the name of the file, which changes with its content. */
      assets: ReadonlyMap<string, ConsoleAsset>
    }

/** One script or style of the console. */
interface ConsoleAsset {
  /** Its brotli form was made when it was built. */
  bytes: SharedBytes
  headers: Readonly<Record<string, string>>
}

/** Where and with which provider of OpenID Connect the console is served. */
export interface ConsoleSettings {
  origin: string
  /** All pages of plugins are on hosts below this one's. */
  pluginsUrl: string
  /** `null` without a provider. The name has no character of HTML's. */
  openIdName: string | null
}

/**
 * Reads the built console.
 *
 * @param folder Where it lies: by default in the installed package `@tillwright/console`.
 */
export async function readConsole(settings: ConsoleSettings, folder: URL = builtConsole()): Promise<ConsoleFiles> {
  try {
    const html = await readFile(new URL('index.html', folder), 'utf8')
    return {
      outcome: 'read',
      html: new SharedBytes(withProvider(html, settings.openIdName)),
      headers: pageHeaders(settings.origin, null),
      framingHeaders: pageHeaders(settings.origin, hostsBelow(settings.pluginsUrl)),
      assets: await readAssets(new URL('assets/', folder)),
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error
    return { outcome: 'not_built', message: 'The console is not built: run `pnpm build`.' }
  }
}

function withProvider(html: string, name: string | null): string {
  return name === null ? html : html.replace('<html ', `<html data-openid="${name}" `)
}

/** The source of a policy for every host below one. */
function hostsBelow(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//*.${host}`
}

/**
 * Keeps other scripts, frames, windows and caches away from the page.
 *
 * @param framed The origin that the console may show in a frame, as a source of the policy; `null` for none.
 */
function pageHeaders(origin: string, framed: string | null): Record<string, string> {
  const assets = `${origin}/console/assets/`
  const policy = [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src ${assets}`,
    `connect-src ${origin}`,
    'img-src data:',
    ...(framed === null ? [] : [`frame-src ${framed}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'publickey-credentials-create=(self), publickey-credentials-get=(self)',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

async function readAssets(folder: URL): Promise<ReadonlyMap<string, ConsoleAsset>> {
  const names = await readdir(folder)
  const read = async (name: string) => new Uint8Array(await readFile(new URL(name, folder)))
  const assets = names.filter((name) => !name.endsWith('.br'))
  return new Map(
    await Promise.all(
      assets.map(async (name) => {
        const brotli = names.includes(`${name}.br`) ? await read(`${name}.br`) : undefined
        return [name, { bytes: new SharedBytes(await read(name), brotli), headers: assetHeaders(name) }] as const
      }),
    ),
  )
}

/** The address of an asset has one content for ever. */
function assetHeaders(name: string): Record<string, string> {
  return {
    'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }
}

function builtConsole(): URL {
  return new URL('./', import.meta.resolve('@tillwright/console/dist/index.html'))
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
