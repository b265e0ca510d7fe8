import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRegistry } from './local-registry.ts'
import { packAll } from './pack-all.ts'

/**
 * `npm run packages`: packs every package as a release would have it, and serves them from a registry on this machine until
 * Ctrl-C, so that they can be installed before they are published. `PORT` names another port than 4873.
 */
const port = Number(process.env['PORT'] ?? 4873)
const folder = await mkdtemp(join(tmpdir(), 'tillwright-packages-'))
process.env['BUILT'] = '1' // the script has built them
const packages = await packAll(folder)
const others = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
const registry = await startRegistry(packages, port, others).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(
    `Port ${port} is taken: stop what listens there, or name another port, as in PORT=4874 npm run packages.`,
  )
  process.exit(1)
})
await rm(folder, { recursive: true })

console.log(`
${packages.length} packages are at ${registry.url} until Ctrl-C. In another terminal:

  npx --registry ${registry.url} tillwright start --demo

  npm config set @tillwright:registry ${registry.url}
  npm create @tillwright/plugin my-shop -- --template checkout

Afterwards: npm config delete @tillwright:registry
`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void registry.stop())
