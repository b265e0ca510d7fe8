import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../spawn-program.ts'
import { quickstarts, takenSnippets } from './quickstarts.ts'
import type { PageSnippet } from './read-snippets.ts'

/** Kept between runs, so that what TypeScript has found out is too. */
const folder = join(root, 'node_modules/.cache/snippets')

/** Extensions under which a language is checked; of Vue's, Svelte's and HTML's files it is the script. */
const extensions: Readonly<Record<string, string>> = {
  js: 'ts',
  ts: 'ts',
  tsx: 'tsx',
  jsx: 'tsx',
  vue: 'ts',
  svelte: 'ts',
  html: 'ts',
}

const packages = join(root, 'packages')
const modules = join(packages, 'checkout/node_modules')
/** Where snippets find what they import: the packages as they are here. */
const paths = {
  ...Object.fromEntries(
    ['bank-simulator', 'contract', 'design-tokens', 'platform', 'plugin-build', 'plugin-dev', 'plugin-publish'].map(
      (name) => [`@tillwright/${name}`, [join(packages, name, 'src/index.ts')]],
    ),
  ),
  '@tillwright/checkout': [join(packages, 'checkout/src/index.ts')],
  '@tillwright/checkout/react': [join(packages, 'checkout/src/react/index.ts')],
  '@tillwright/checkout/element': [join(packages, 'checkout/src/element/index.ts')],
  '@tillwright/client': [join(packages, 'client/src/index.ts')],
  '@tillwright/plugin-sdk': [join(packages, 'plugin-sdk/src/index.ts')],
  '@tillwright/plugin-sdk/methods': [join(packages, 'plugin-sdk/src/methods/index.ts')],
  '@tillwright/plugin-sdk/preact': [join(packages, 'plugin-sdk/src/preact/index.ts')],
  '@tillwright/plugin-sdk/testing': [join(packages, 'plugin-sdk/src/test-page/index.ts')],
  react: [join(modules, '@types/react')],
  'react/jsx-runtime': [join(modules, '@types/react/jsx-runtime.d.ts')],
  preact: [join(packages, 'plugin-sdk/node_modules/preact')],
  'preact/jsx-runtime': [join(packages, 'plugin-sdk/node_modules/preact/jsx-runtime')],
}

/** The languages whose snippets are checked here. */
export const typedLanguages: readonly string[] = Object.keys(extensions)

/**
 * Checks the types of snippets in TypeScript, JavaScript, Vue, Svelte and HTML. Snippets with a title become files in
 * one folder; names that a fragment takes from its surroundings are declared in `context/`. The projects of the
 * documentation are checked without `strict` too: Next.js builds a new project like that, and narrows other types then.
 *
 * @returns TypeScript's errors, with the page and line of each.
 */
export async function checkTypes(snippets: readonly PageSnippet[]): Promise<string[]> {
  const checked = snippets.filter(
    ({ language, notRun, runBy }) => language in extensions && notRun === null && runBy === null,
  )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(import.meta.dirname, 'context'), join(folder, 'context'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const places = new Map(checked.map((snippet) => [write(snippet), snippet]))
  for (const page of new Set(checked.map((each) => each.page)))
    for (const taken of takenSnippets(page, checked)) write({ ...taken, page })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'tsconfig.loose.json'), JSON.stringify(looseConfig))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const outputs = await Promise.all([run(tsc, ['-p', folder]), run(tsc, ['-p', join(folder, 'tsconfig.loose.json')])])
  // Other errors are in the packages, which `pnpm check` checks with their own settings.
  return outputs.flat().flatMap((line) => {
    const [, file = '', row = '', rest = ''] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? []
    const snippet = places.get(file)
    return snippet === undefined || isUntold(snippet, rest)
      ? []
      : [`${snippet.place.replace(/\d+$/, '')}${snippet.line + Number(row) - 1} ${rest}`]
  })
}

/** Plain JavaScript cannot say what a function takes, or that an element is there. */
function isUntold({ language }: PageSnippet, complaint: string): boolean {
  return ['html', 'js'].includes(language) && /^error TS(?:7006|2531|18047):/.test(complaint)
}

const config = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    paths,
  },
  include: ['.'],
}

const looseConfig = {
  extends: './tsconfig.json',
  compilerOptions: { strict: false },
  include: ['context', ...Object.values(quickstarts).map(({ page }) => page)],
}

/** @returns The file, relative to the folder. */
function write({ page, line, language, title, code }: PageSnippet): string {
  const extension = extensions[language] ?? 'ts'
  const isFile = title !== null && title.endsWith(`.${extension}`)
  const name = `${page}/${isFile ? title : `line-${line}.${extension}`}`
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  const preact = page.startsWith('plugins/') && extension === 'tsx' ? '/** @jsxImportSource preact */ ' : ''
  writeFileSync(join(folder, name), preact + scriptOf(language, code))
  return name
}

/** Of a component or a document, the script, at the lines where it stands. */
function scriptOf(language: string, code: string): string {
  if (!['vue', 'svelte', 'html'].includes(language)) return code
  const [, before = '', script = ''] = /^([\s\S]*?<script(?![^>]* src=)[^>]*>)([\s\S]*?)<\/script>/.exec(code) ?? []
  return '\n'.repeat(before.split('\n').length - 1) + script
}

function run(command: string, words: readonly string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(command, words, { cwd: folder }, (_error, stdout) => {
      resolve(stdout.split('\n').filter((line) => line !== ''))
    })
  })
}
