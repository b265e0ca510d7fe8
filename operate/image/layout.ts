import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Entry, tar } from './tar.ts'

/** A layer of an image: what it adds, and why it is one of its own. */
export interface Layer {
  /** For `docker history`. */
  comment: string
  entries: readonly Entry[]
}

/** Settings with which a container starts. Source: OCI image specification 1.1, "Image configuration". */
export interface RunConfig {
  User: string
  Env: readonly string[]
  Entrypoint: readonly string[]
  Cmd: readonly string[]
  WorkingDir: string
  ExposedPorts: Readonly<Record<string, object>>
  StopSignal: string
  Labels: Readonly<Record<string, string>>
  /** Docker's own addition, which other runtimes ignore. */
  Healthcheck: { Test: readonly string[]; Interval: number; Timeout: number; StartPeriod: number; Retries: number }
}

/** An image to write. */
export interface Image {
  architecture: 'amd64' | 'arm64'
  /** Unix time of the image and of every file in it. */
  createdS: number
  layers: readonly Layer[]
  config: RunConfig
  /** The name that the layout has the image under. */
  tag: string
}

/** How large an image is, and the digest that it is pinned by. */
export interface WrittenImage {
  digest: string
  /** Size of the compressed layers, as a registry stores them and a machine downloads them. */
  compressedBytes: number
  unpackedBytes: number
}

interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

/**
 * Writes an image as an OCI layout: a folder that `skopeo copy oci:FOLDER:TAG`, `podman pull oci:FOLDER` and
 * `docker load` (of its tar) read. The same image gives the same bytes. Source: OCI image specification 1.1.
 *
 * @param folder Must not hold another layout.
 */
export async function writeLayout(folder: string, image: Image): Promise<WrittenImage> {
  const blobs = join(folder, 'blobs', 'sha256')
  await mkdir(blobs, { recursive: true })
  const keep = async (mediaType: string, bytes: Uint8Array): Promise<Descriptor> => {
    const hex = sha256(bytes)
    await writeFile(join(blobs, hex), bytes)
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length }
  }
  const created = new Date(image.createdS * 1_000).toISOString().replace('.000', '')
  const layers: Descriptor[] = []
  const diffIds: string[] = []
  let unpackedBytes = 0
  for (const { entries } of image.layers) {
    const archive = tar(entries, image.createdS)
    unpackedBytes += archive.length
    diffIds.push(`sha256:${sha256(archive)}`)
    layers.push(await keep('application/vnd.oci.image.layer.v1.tar+gzip', await promisify(gzip)(archive)))
  }
  const platform = { architecture: image.architecture, os: 'linux' }
  const history = image.layers.map(({ comment }) => ({ created, created_by: 'operate/image/build.ts', comment }))
  const config = await keep(
    'application/vnd.oci.image.config.v1+json',
    json({ created, ...platform, config: image.config, rootfs: { type: 'layers', diff_ids: diffIds }, history }),
  )
  const annotations = image.config.Labels
  const manifest = await keep(
    'application/vnd.oci.image.manifest.v1+json',
    json({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', config, layers, annotations }),
  )
  const named = { ...manifest, platform, annotations: { 'org.opencontainers.image.ref.name': image.tag } }
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [named] }
  await writeFile(join(folder, 'index.json'), json(index))
  await writeFile(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
  const compressedBytes = [manifest, config, ...layers].reduce((sum, { size }) => sum + size, 0)
  return { digest: manifest.digest, compressedBytes, unpackedBytes }
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

/** Hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
