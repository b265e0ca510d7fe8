import { readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { HiddenValue } from '../gates/index.ts'
import { readLinkedText } from '../json/index.ts'
import { fileError, lineStarts, positionAt, type Problem } from '../problem.ts'
import type { SourceMapText } from '../source-map.ts'

/** The variables of a build, by whether pages may read them. */
export interface BuildEnvironment {
  /** Variables whose names start with `PUBLIC_`. They are written into pages. */
  shown: Record<string, string>
  /** The values of all others in the plugin's own files, except values that a public one has too. */
  hidden: HiddenValue[]
  /** Errors, for files that are there and cannot be read: nobody could say whether their secrets are in a page. */
  problems: Problem[]
}

/** Earlier files take precedence. Source: Vite's order. */
const environmentFiles = ['.env.production.local', '.env.production', '.env.local', '.env']

/**
 * Reads the `.env` files of a plugin.
 *
 * @param environment The process's own variables, which take precedence over the files.
 */
export async function readEnvironment(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<BuildEnvironment> {
  const read = await Promise.all(environmentFiles.map((file) => readVariables(root, file)))
  const all = Object.assign({}, ...read.map(({ variables }) => variables).toReversed(), environment)
  const shown = Object.entries<string | undefined>(all).filter(isShown)
  const known = new Set(shown.map(([, value]) => value))
  return {
    shown: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    hidden: read.flatMap(({ file, variables }) =>
      Object.entries(variables).flatMap(([name, value = '']) =>
        isPublicName(name) || name === 'NODE_ENV' || known.has(value) ? [] : [{ file, name, value }],
      ),
    ),
    problems: read.flatMap(({ problems }) => problems),
  }
}

/** Whether a variable may be read by pages. */
function isPublicName(name: string): boolean {
  return /^PUBLIC_\w+$/.test(name)
}

function isShown(entry: [string, string | undefined]): entry is [string, string] {
  return isPublicName(entry[0]) && entry[1] !== undefined
}

interface EnvironmentFile {
  file: string
  variables: NodeJS.Dict<string>
  problems: Problem[]
}

/** Empty if there is no such file, which is the usual case; Python keeps its packages in a folder of this name. */
async function readVariables(root: string, file: string): Promise<EnvironmentFile> {
  const nothing = { file, variables: {}, problems: [] }
  const found = await stat(join(root, file)).catch(() => null)
  if (found === null || found.isDirectory()) return nothing
  const read = await readLinkedText(root, file)
  if (read.problem === undefined) return { ...nothing, variables: parseEnv(read.text) }
  return { ...nothing, problems: [read.problem] }
}

const use = /\bimport\.meta\.env\.(\w+)/g
const always = new Set(['MODE', 'PROD', 'DEV'])

/** An error for each variable that the manifest requires and the environment does not set. */
export function checkNeeded(needed: readonly string[], shown: Readonly<Record<string, string>>): Problem[] {
  const missing = needed.filter((name) => !Object.hasOwn(shown, name))
  return missing.map((name) => {
    const fix = `Set ${name} in the environment or in .env.`
    const said = { code: 'missing-variable', rule: `The build requires ${name}.`, fix }
    return fileError('plugin.manifest.json', said, '/requirements/environment')
  })
}

/** A warning for each variable that the plugin's own modules read but pages do not have. */
export function checkVariables(maps: readonly SourceMapText[], shown: Readonly<Record<string, string>>): Problem[] {
  const sources = new Map(
    maps.flatMap(({ sources: files, sourcesContent }) =>
      files.map((file, index) => [file, sourcesContent[index]] as const),
    ),
  )
  return [...sources].flatMap(([file, text]) => {
    if (text == null || file.startsWith('node_modules/')) return []
    return [...text.matchAll(use)].flatMap(({ 1: name = '', index }): Problem[] => {
      if (Object.hasOwn(shown, name) || always.has(name)) return []
      const rule = isPublicName(name)
        ? `${name} has no value.`
        : 'Only variables that start with PUBLIC_ are available to pages.'
      const fix = isPublicName(name)
        ? `Set ${name} in the environment or in .env.`
        : `Rename ${name} if buyers may see it.`
      return [
        {
          code: 'unknown-variable',
          severity: 'warning',
          file,
          ...positionAt(lineStarts(text), index),
          pointer: null,
          rule,
          fix,
        },
      ]
    })
  })
}

/** The package that JSX is compiled for. */
export type JsxRuntime = 'preact' | 'react'

/** React if the plugin's `package.json` depends on it and not on Preact; otherwise Preact. */
export function readJsxRuntime(root: string): JsxRuntime {
  const names = dependencyNames(join(root, 'package.json'))
  return names.has('react') && !names.has('preact') ? 'react' : 'preact'
}

const fields = ['dependencies', 'devDependencies', 'peerDependencies']

/** Empty if it is no file, which is reported elsewhere, or not JSON, which the package manager reports. */
function dependencyNames(path: string): Set<string> {
  try {
    if (!statSync(path).isFile()) return new Set()
    const read: Record<string, unknown> = Object(JSON.parse(readFileSync(path, 'utf8')))
    return new Set(fields.flatMap((field) => Object.keys(Object(read[field]))))
  } catch {
    return new Set()
  }
}
