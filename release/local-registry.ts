import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runServer } from 'verdaccio'
import type { PackedPackage } from './pack-all.ts'

/** A registry on this machine alone, of our own packages as they were packed here. */
export interface LocalRegistry {
  /** `http://127.0.0.1:<port>/` */
  url: string
  stop: () => Promise<void>
}

/**
 * Starts a registry that holds the packages.
 *
 * @param port 0 for any that is free.
 * @param others The registry that requests for other packages are passed on to; without it there are none.
 * @throws {Error} `EADDRINUSE` when the port is taken.
 */
export async function startRegistry(
  packages: readonly PackedPackage[],
  port = 0,
  others?: string,
): Promise<LocalRegistry> {
  const storage = await mkdtemp(join(tmpdir(), 'tillwright-registry-'))
  const server: Server = await runServer({
    configPath: join(storage, 'config.yaml'), // nothing stands there; other folders are found next to it
    storage,
    packages: { '**': { access: ['$all'], publish: ['$all'] } },
    auth: { htpasswd: { file: join(storage, 'htpasswd') } },
    web: { enable: false },
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'json', level: 'fatal' },
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo // it listens on TCP
  const url = `http://127.0.0.1:${address.port}/`
  for (const each of packages) await put(each, url)
  onlyRead(server)
  if (others !== undefined) leadOn(server, new Set(packages.map(({ manifest }) => manifest.name)), others)
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(storage, { recursive: true, force: true })
    },
  }
}

/**
 * From now on nothing can be published: the registry lets every page that the developer has open send it requests, and what
 * such a page put there would be run by the next `npm install`.
 */
function onlyRead(server: Server): void {
  const [answer] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') return answer?.call(server, request, response)
    response.writeHead(403).end('This registry can only be read.')
  })
}

/** From now on requests for packages of others are redirected, so that one registry is enough for a project. */
function leadOn(server: Server, own: ReadonlySet<string>, others: string): void {
  const [answer] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const [, name = ''] = /^\/((?:@[^/]+\/)?[^/?]+)/.exec((request.url ?? '').replace(/%2f/i, '/')) ?? []
    if (own.has(name)) return answer?.call(server, request, response)
    response.writeHead(307, { Location: new URL((request.url ?? '/').slice(1), others).href }).end()
  })
}

/** As a registry takes a package: its manifest with the archive in it. Never sent anywhere but to this machine. */
async function put({ manifest, tarball }: PackedPackage, url: string): Promise<void> {
  if (new URL(url).hostname !== '127.0.0.1') throw new Error(`${url} is no registry of this machine.`)
  const { name, version } = manifest
  const bytes = await readFile(tarball)
  const file = `${name}-${version}.tgz`
  const dist = {
    tarball: `${url}${name}/-/${file}`,
    shasum: hash('sha1', bytes),
    integrity: `sha512-${hash('sha512', bytes, 'base64')}`,
  }
  const body = {
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: bytes.toString('base64'), length: bytes.length },
    },
  }
  const answer = await fetch(url + encodeURIComponent(name), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The registry did not take ${name}: ${answer.status} ${await answer.text()}`)
}
