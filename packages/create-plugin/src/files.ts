import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  idOf,
  type Language,
  type PackageManager,
  packageManagers,
  type PluginChoices,
  type Template,
} from './choices.ts'

/** The files of a plugin: those of its template, in the language and with the names that are wanted. */
export function makeFiles(packed: Templates, wanted: MakeOptions): Files {
  const { template, language, framework, packageManager } = wanted
  const { common, modules } = packed.templates[template]
  const react = framework === 'react' ? packed.react[language] : {}
  const files = { ...common, ...modules[language], ...react, ...filesFor(packageManager) }
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path !== PNPM_WORKSPACE || packageManager === 'pnpm')
      .map(([path, text]) => [nameOfFile(path), rewritten(path, text, wanted)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** pnpm's file in a template, which would make the template a workspace of its own if it had its real name there. */
const PNPM_WORKSPACE = '_pnpm-workspace.yaml'

function nameOfFile(path: string): string {
  return path === PNPM_WORKSPACE ? 'pnpm-workspace.yaml' : path
}

function rewritten(path: string, text: string, wanted: MakeOptions): string {
  if (path === 'package.json') return packageFile(text, wanted)
  const named = withName(path, text, wanted)
  const inLanguage = wanted.language === 'javascript' ? inJavascript(path, named) : named
  const inFramework = wanted.framework === 'react' ? withReact(path, inLanguage) : inLanguage
  return forManager(path, inFramework, wanted.packageManager)
}

function withName(path: string, text: string, { name, variant }: MakeOptions): string {
  if (path.startsWith('config/presets/')) {
    return variant === '' ? text : text.replace('"variantId": ""', () => `"variantId": ${JSON.stringify(variant)}`)
  }
  if (path === 'README.md') return text.replace(/^# .*/, () => `# ${name}`)
  if (path !== 'plugin.manifest.json') return text
  return text
    .replace(/"pluginId": ".*?"/, () => `"pluginId": ${JSON.stringify(idOf(name))}`)
    .replace(/"name": ".*?"/, () => `"name": ${JSON.stringify(name)}`)
}

/** Options of `makeFiles`. */
interface MakeOptions extends Pick<
  PluginChoices,
  'name' | 'template' | 'language' | 'framework' | 'packageManager' | 'variant'
> {
  /** The version of our packages that it depends on. */
  version: string
}

/** The part of a template's `package.json` that is written anew. */
interface PackageFile {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** A template's `package.json` as that of a plugin: with its name, and with versions where the workspace has links. */
function packageFile(text: string, { name, framework, version }: MakeOptions): string {
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

/** The packages that replace Preact. */
export const reactPackages = {
  dependencies: { react: '^19.3.1', 'react-dom': '^19.3.1' },
  devDependencies: { '@types/react': '^19.3.3', '@types/react-dom': '^19.3.0' },
} as const

/** The budget of a page: React alone has some 60 kB after brotli, Preact has 5. */
const PAGE_MAX_BYTES = 100_000

/**
 * A file of a template as it is with React. Templates are written in what Preact and React have in common, so that only
 * names of packages differ, and the module that mounts.
 */
export function withReact(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replaceAll('Preact', 'React')
  if (path === 'tsconfig.json') return text.replace('"jsxImportSource": "preact"', '"jsxImportSource": "react"')
  if (path === 'plugin.manifest.json') return text.replace(/"pageBytes": \d+/, `"pageBytes": ${PAGE_MAX_BYTES}`)
  if (!/\.[jt]sx?$/.test(path)) return text
  return text
    .replaceAll("'@tillwright/plugin-sdk/preact'", "'@tillwright/plugin-sdk/react'")
    .replaceAll(/'preact(?:\/hooks)?'/g, "'react'")
}

/** Translates a file of a template to JavaScript; modules were packed without their types already. */
function inJavascript(path: string, text: string): string {
  if (path.endsWith('.md'))
    return text.replaceAll(/(?<!\.d)\.ts(x?)\b/g, '.js$1').replaceAll('TypeScript', 'JavaScript')
  return path === 'tsconfig.json' ? checkingJavascript(text) : text
}

/** Editors and `npm run check` check as much as is possible without types. */
function checkingJavascript(text: string): string {
  const { compilerOptions, ...rest } = JSON.parse(text)
  const options = { ...compilerOptions, allowJs: true, checkJs: true, strict: false }
  return `${JSON.stringify({ compilerOptions: options, ...rest }, null, 2)}\n`
}

/** Translates a file of a template to a package manager: templates have npm's commands. */
function forManager(path: string, text: string, manager: PackageManager): string {
  if (manager === 'berry' && path === '.gitignore') return `${text}.yarn/\n`
  if (manager === 'npm' || !/\.(?:md|yml)$/.test(path)) return text
  const { install, installLocked, run, test, setUp } = packageManagers[manager]
  return text
    .replaceAll('npm run', run)
    .replaceAll('npm test', test)
    .replaceAll('npm install', install)
    .replaceAll(/^( *- run: )npm ci$/gm, `$1${setUp}\n$1${installLocked}`)
}

/** The additional files of a package manager. */
function filesFor(manager: PackageManager): Files {
  if (manager !== 'berry') return {}
  return {
    '.yarnrc.yml': '# esbuild is a program of its own and wants to lie in a folder.\nnodeLinker: node-modules\n',
  }
}

/** Texts of files by their path, which is relative to the plugin's folder and written with `/`. */
export type Files = Readonly<Record<string, string>>

/** A template as it is packed. */
export interface PackedTemplate {
  /** Files that are the same in any language. */
  common: Files
  modules: Readonly<Record<Language, Files>>
}

/** The packed templates. */
export interface Templates {
  templates: Readonly<Record<Template, PackedTemplate>>
  /** Modules that replace others if the framework is React. */
  react: Readonly<Record<Language, Files>>
}

/** The file that the build writes next to the program. */
export const TEMPLATES_FILE = 'templates.json'

/** Reads the templates that are packed with the program. */
export function readTemplates(): Templates {
  return JSON.parse(readFileSync(join(import.meta.dirname, TEMPLATES_FILE), 'utf8'))
}
