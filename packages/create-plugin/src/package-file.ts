import type { MakeOptions } from './make-options.ts'
import { idOf } from './plugin-names.ts'
import { reactPackages } from './with-react.ts'

/** The part of a template's `package.json` that is written anew. */
interface PackageFile {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** A template's `package.json` as that of a plugin: with its name, and with versions where the workspace has links. */
export function packageFile(text: string, { name, framework, version }: MakeOptions): string {
  const template: PackageFile = JSON.parse(text)
  const isReact = framework === 'react'
  const { preact: _, ...others } = template.dependencies
  const dependencies = isReact ? { ...others, ...reactPackages.dependencies } : template.dependencies
  const devDependencies = { ...template.devDependencies, ...(isReact && reactPackages.devDependencies) }
  const plugin: PackageFile = {
    ...template,
    name: idOf(name),
    dependencies: released(dependencies, version),
    devDependencies: released(devDependencies, version),
  }
  return `${JSON.stringify(plugin, null, 2)}\n`
}

function released(packages: Readonly<Record<string, string>>, version: string): Record<string, string> {
  const entries = Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    entries.map(([name, range]) => [name, range.startsWith('workspace:') ? `^${version}` : range]),
  )
}
