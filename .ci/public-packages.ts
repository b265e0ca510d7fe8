import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './spawn-program.ts'

/** A package that people install from the registry. */
export interface PublicPackage {
  name: string
  version: string
  /** Absolute. */
  folder: string
}

/** Reads the manifests of all packages that are not private, sorted by name. */
export async function publicPackages(): Promise<PublicPackage[]> {
  const packages: PublicPackage[] = []
  for await (const path of glob('{packages,apps}/*/package.json', { cwd: root })) {
    const text = await readFile(join(root, path), 'utf8')
    // A manifest without a name or a version could not be installed in this workspace.
    const { name, version, private: hidden } = JSON.parse(text) as { name: string; version: string; private?: boolean }
    if (hidden !== true) packages.push({ name, version, folder: join(root, dirname(path)) })
  }
  return packages.toSorted((a, b) => a.name.localeCompare(b.name))
}
