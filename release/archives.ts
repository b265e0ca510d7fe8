import { hash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../.ci/spawn-program.ts'
import { packAll } from './pack-all.ts'

/** `pnpm archives [FOLDER]`: packs every package, and prints the `integrity` by which registries know its bytes. */
const folder = process.argv[2] ?? join(root, 'dist/archives')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const { manifest, tarball } of await packAll(folder)) {
  const bytes = await readFile(tarball)
  console.log(`sha512-${hash('sha512', bytes, 'base64')} ${manifest.name}@${manifest.version} ${bytes.length} bytes`)
}
