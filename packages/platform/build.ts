import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { licensesOf } from '../../.ci/licenses-of.ts'

const folder = join(import.meta.dirname, 'dist/http')
const scalar = './node_modules/@scalar/api-reference/dist/browser/standalone.js'

// The platform serves this one file of the package, which is a bundle of all that it needs. Copied, it spares those who
// install the platform the package's own dependencies, which take 270 MB.
await copyFile(join(import.meta.dirname, scalar), join(folder, 'reference-renderer.js'))
const licenses = await licensesOf({ inputs: { [scalar]: {} } }, import.meta.dirname)
await writeFile(join(folder, 'reference-renderer.LICENSE.txt'), licenses)
