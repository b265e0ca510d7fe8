import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { publicPackages } from './public-packages.ts'
import { root } from './spawn-program.ts'

/**
 * `pnpm run manifests`: what every public package says in the same words stands once, in the root's `package.json`, and is
 * copied from there: license, repository, homepage and where to report bugs; and the packages' version into the Helm chart. With `--check` it names what differs, and
 * what a package has to say for itself and does not.
 */
interface Manifest {
  name: string
  version: string
  license: string
  repository: { type: string; url: string; directory?: string }
  homepage: string
  bugs: string
  description?: string
  keywords?: string[]
  sideEffects?: boolean | string[]
  engines?: { node: string }
}

const placed = new Set(['name', 'version', 'description', 'keywords', 'license', 'homepage', 'bugs', 'repository'])
const isCheck = process.argv.includes('--check')
const shared: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const problems: string[] = []
for (const { folder } of await publicPackages()) {
  const path = join(folder, 'package.json')
  const text = await readFile(path, 'utf8')
  const manifest: Manifest = JSON.parse(text)
  problems.push(...missing(manifest))
  const right = `${JSON.stringify(withShared(manifest, relative(root, folder).replaceAll('\\', '/')), null, 2)}\n`
  if (right === text) continue
  if (isCheck) problems.push(`${relative(root, path)} differs from the root's package.json: run \`pnpm run manifests\``)
  else await writeFile(path, right)
}
problems.push(...(await chartProblems()))
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

/** The Helm chart has the packages' version. */
async function chartProblems(): Promise<string[]> {
  const path = join(root, 'operate/helm/tillwright/Chart.yaml')
  const text = await readFile(path, 'utf8')
  const version = (await publicPackages())[0]?.version
  const right = text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: '${version}'`)
  if (right === text) return []
  if (isCheck) return ['operate/helm/tillwright/Chart.yaml has another version: run `pnpm run manifests`']
  await writeFile(path, right)
  return []
}

/** The shared fields stand behind the description and the keywords, in this order. */
function withShared(manifest: Manifest, directory: string): object {
  const { name, version, description, keywords } = manifest
  return {
    name,
    version,
    description,
    keywords,
    license: shared.license,
    homepage: `${shared.homepage}/tree/main/${directory}#readme`,
    bugs: shared.bugs,
    repository: { ...shared.repository, directory },
    ...Object.fromEntries(Object.entries(manifest).filter(([field]) => !placed.has(field))),
  }
}

function missing({ name, description, keywords, sideEffects, engines }: Manifest): string[] {
  const wrong = [
    ...(description === undefined ? ['has no description'] : []),
    ...(keywords === undefined || keywords.length < 3 ? ['has fewer than three keywords'] : []),
    ...(sideEffects === undefined ? ['does not say whether it has sideEffects'] : []),
    ...(engines !== undefined && engines.node !== shared.engines?.node ? ['has engines of its own'] : []),
  ]
  return wrong.map((what) => `${name} ${what}`)
}
