import { join } from 'node:path'
import { buildSite } from './src/build-site.ts'
import { root } from './src/pages.ts'

process.chdir(root)
await buildSite(join(import.meta.dirname, 'dist'))
