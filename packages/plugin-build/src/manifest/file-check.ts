import { type JsonSchema, pluginFile, type PluginFile, pluginFileSchema } from '@tillwright/contract'
import { type FormattingOptions, modify } from 'jsonc-parser'
import {
  atValue,
  type Complaint,
  type Finding,
  type JsonDocument,
  type JsonPath,
  nearMiss,
  nodeAt,
  pathText,
} from '../json/index.ts'
import { schemaAt } from './unknown-keys.ts'

const fileSchema: JsonSchema = pluginFileSchema()

/** The parsed manifest, or null, and every rule it breaks. */
export function checkFile(document: JsonDocument): { file: PluginFile | null; findings: Finding[] } {
  const result = pluginFile.safeParse(document.value)
  if (result.success) return { file: result.data, findings: [] }
  return { file: null, findings: result.error.issues.flatMap(ofBranch).map((issue) => toFinding(document, issue)) }
}

/** If a value may have several shapes, the problems of the probable one: the one whose type it has. */
function ofBranch(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return meant?.flatMap((inner) => ofBranch({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}

function toFinding(document: JsonDocument, issue: Issue): Finding {
  const path = issue.path.filter((step) => typeof step !== 'symbol')
  const schema = schemaAt(fileSchema, path) ?? {}
  const node = nodeAt(document, path)
  if (node === undefined) return atValue(document, path, missing(document, path, schema))
  const meant = repairValue(path, node.value, schema)
  const rule = `${path.length === 0 ? 'The file' : pathText(path)} ${valueRule(issue)}.`
  if (meant === undefined) return atValue(document, path, { code: codeOf(issue), rule, fix: fixOf(schema, issue) })
  const content = JSON.stringify(meant)
  const repair = [{ offset: node.offset, length: node.length, content }]
  return atValue(document, path, { code: codeOf(issue), rule, fix: `Did you mean ${content}?`, repair })
}

/** The stable code of a zod issue. */
function codeOf({ code }: Issue): string {
  if (code === 'invalid_type' || code === 'invalid_union') return 'wrong-type'
  return code === 'too_big' || code === 'too_small' ? 'out-of-bounds' : 'invalid-value'
}

function fixOf({ examples = [], enum: choices = [] }: JsonSchema, issue: Issue): string {
  if (choices.length > 0) return `Use one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`
  if (examples.length > 0) return `Write something like ${JSON.stringify(examples[0])}.`
  return issue.code === 'too_big' ? 'Shorten it.' : 'Correct the value.'
}

function missing(document: JsonDocument, path: JsonPath, { examples = [], description = '' }: JsonSchema): Complaint {
  const key = String(path.at(-1))
  const misspelt = nearMissOf(document, path)
  const example = examples.length > 0 ? `, such as "${key}": ${JSON.stringify(examples[0])}` : ''
  const complaint = {
    code: 'missing-key',
    rule: `${pathText(path)} is required${description === '' ? '' : `: ${lowered(description)}`}${description === '' ? '.' : ''}`,
    fix: misspelt === null ? `Add it${example}.` : `Rename "${misspelt}" to "${key}".`,
  }
  const id = path.length === 1 && key === 'pluginId' && misspelt === null ? slugOfName(document) : null
  if (id === null) return complaint
  const edits = modify(document.text, ['pluginId'], id, {
    formattingOptions: indentationOf(document.text),
    getInsertionIndex: behindSchema,
  })
  return { ...complaint, fix: `Add it: "pluginId": ${JSON.stringify(id)}.`, repair: edits }
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** A sibling of the missing key that is probably a misspelling of it. */
function nearMissOf(document: JsonDocument, path: JsonPath): string | null {
  const holder = nodeAt(document, path.slice(0, -1))
  const keys = (holder?.children ?? []).flatMap(({ children: [key] = [] }) =>
    key === undefined ? [] : [String(key.value)],
  )
  const known = Object.keys(schemaAt(fileSchema, path.slice(0, -1))?.properties ?? {})
  const strange = keys.filter((key) => !known.includes(key))
  return strange.find((key) => nearMiss(key, known) === path.at(-1)) ?? null
}

function behindSchema(keys: string[]): number {
  return keys[0] === '$schema' ? 1 : 0
}

/** An id made from the plugin's name, or null if the name has no suitable letters. */
function slugOfName(document: JsonDocument): string | null {
  const name: unknown = nodeAt(document, ['name'])?.value
  if (typeof name !== 'string') return null
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)
  return slug === '' ? null : slug
}

/** A problem found by zod. */
type Issue = NonNullable<ReturnType<(typeof pluginFile)['safeParse']>['error']>['issues'][number]

/** The rule that a value breaks, as the end of a sentence that starts with its name: `must be at least 1`. */
function valueRule(issue: Issue): string {
  if (issue.message.startsWith('must ')) return issue.message // rules worded by the contract
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${verb(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${verb(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `written as ${issue.format}`}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_key':
      return 'must not have a name longer than 255 characters'
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'custom':
      return 'must have another shape'
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an address that starts with https:// or http://',
}

function verb(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unit(origin: string, count: number | bigint): string {
  if (origin === 'array') return count === 1 ? ' item' : ' items'
  if (origin === 'string') return count === 1 ? ' character' : ' characters'
  return ''
}

/** The intended value, if it can be derived from an invalid one; otherwise undefined. */
export function repairValue(path: JsonPath, value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'string') return undefined
  if (schema.type === 'boolean') return { true: true, false: false }[value.trim().toLowerCase()]
  const choices = (schema.enum ?? []).filter((choice) => typeof choice === 'string')
  if (choices.length > 0) return nearMiss(value, choices) ?? undefined
  if (path.length === 1 && path[0] === 'version') return fullVersion(value)
  if (path.at(-1) === 'path' && path[0] === 'pages' && /^[A-Za-z0-9:]/.test(value)) return `/${value}`
  const inside = value.replace(/^(?:\.\/)+/, '') // file paths are relative to the folder without a prefix
  return inside !== value && !inside.split('/').includes('..') ? inside : undefined
}

/** Completes `v1.2` to `1.2.0`. */
function fullVersion(written: string): string | undefined {
  const [, major, minor = '0', patch = '0'] =
    /^[vV=]?\s*(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?(?:\.(0|[1-9]\d{0,8}))?$/.exec(written.trim()) ?? []
  return major === undefined ? undefined : `${major}.${minor}.${patch}`
}

/** The indentation and line ending of a text, taken from its first indented line; two spaces and LF by default. */
export function indentationOf(text: string): FormattingOptions {
  const [, eol = '\n', indent = '  '] = /(\r?\n)([ \t]+)\S/.exec(text) ?? []
  return { eol, insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length }
}
