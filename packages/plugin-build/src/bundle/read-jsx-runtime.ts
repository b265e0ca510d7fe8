import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package that JSX is made for. */
export type JsxRuntime = 'preact' | 'react'

/** React if the plugin's `package.json` names it and not Preact; Preact otherwise, also without a `package.json`. */
export function readJsxRuntime(root: string): JsxRuntime {
  const names = dependencyNames(join(root, 'package.json'))
  return names.has('react') && !names.has('preact') ? 'react' : 'preact'
}

const fields = ['dependencies', 'devDependencies', 'peerDependencies']

/** Of a file that is no JSON, none: whoever installs the plugin's packages hears of it. */
function dependencyNames(path: string): Set<string> {
  try {
    const read: Record<string, unknown> = Object(JSON.parse(readFileSync(path, 'utf8')))
    return new Set(fields.flatMap((field) => Object.keys(Object(read[field]))))
  } catch {
    return new Set()
  }
}
