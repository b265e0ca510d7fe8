import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Template, templates } from './src/choices.ts'
import type { Files, PackedTemplate, Templates } from './src/files.ts'
import { stripTypes } from './strip-types.ts'

const root = join(import.meta.dirname, '../../templates')
/** Files in a template's folder that are not part of it. */
const ofThisMachine = ['node_modules', 'dist', '.tillwright', '.turbo']

/** Everything that a plugin can be made of: the workspace's templates, in both languages, and what React needs. */
export async function packTemplates(): Promise<Templates> {
  const names = Object.keys(templates) as Template[] // what the record is made of
  const packed = await Promise.all(names.map(async (name) => [name, await packTemplate(name)] as const))
  const react = await readFiles(join(import.meta.dirname, 'react'))
  return {
    templates: Object.fromEntries(packed) as Record<Template, PackedTemplate>, // an entry for each name
    react: await inBoth(inSource(react)),
  }
}

async function packTemplate(name: Template): Promise<PackedTemplate> {
  const files = await readFiles(join(root, name))
  const modules = Object.entries(files).filter(([path]) => isModule(path))
  const common = Object.entries(files).filter(([path]) => !isModule(path))
  return { common: Object.fromEntries(common), modules: await inBoth(Object.fromEntries(modules)) }
}

async function inBoth(typescript: Files): Promise<PackedTemplate['modules']> {
  const javascript = await Promise.all(
    Object.entries(typescript).map(async ([path, text]) => {
      return [path.replace(/\.ts(x?)$/, '.js$1'), await stripTypes(path, text)] as const
    }),
  )
  // A module of types alone has nothing to say without them.
  return { typescript, javascript: Object.fromEntries(javascript.filter(([, text]) => text.trim() !== '')) }
}

function isModule(path: string): boolean {
  return /^src\/.*(?<!\.d)\.tsx?$/.test(path)
}

function inSource(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text]))
}

/** The files of a folder, with what is in folders below, but for what belongs to one machine. */
export async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { withFileTypes: true })
  const own = entries.filter(({ name }) => !ofThisMachine.includes(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const read = await Promise.all(
    own.map(async (entry): Promise<[path: string, text: string][]> => {
      const path = join(folder, entry.name)
      if (entry.isFile()) return [[entry.name, await readFile(path, 'utf8')]]
      const below = entry.isDirectory() ? await readFiles(path) : {}
      return Object.entries(below).map(([name, text]) => [`${entry.name}/${name}`, text])
    }),
  )
  return Object.fromEntries(read.flat())
}
