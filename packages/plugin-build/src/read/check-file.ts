import { modify } from 'jsonc-parser'
import { pluginFile, pluginFileSchema, type JsonSchema, type PluginFile } from '@tillwright/contract'
import type { Finding } from './finding.ts'
import { atValue, nodeAt, type Complaint, type JsonDocument } from './json-document.ts'
import { indentationOf } from './indentation-of.ts'
import { spoken, type JsonPath } from './json-pointer.ts'
import { nearMiss } from './near-miss.ts'
import { repairValue } from './repair-value.ts'
import { schemaAt } from './schema-at.ts'
import { valueRule, type Issue } from './value-rule.ts'

const fileSchema: JsonSchema = pluginFileSchema()

/** The file as the contract's schema reads it, or null, and every rule that it breaks. */
export function checkFile(document: JsonDocument): { file: PluginFile | null; findings: Finding[] } {
  const result = pluginFile.safeParse(document.value)
  if (result.success) return { file: result.data, findings: [] }
  return { file: null, findings: result.error.issues.flatMap(ofBranch).map((issue) => toFinding(document, issue)) }
}

/** Where a value may have several shapes, the problems of the shape that was meant: the one whose type it has. */
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
  const rule = `${path.length === 0 ? 'The file' : spoken(path)} ${valueRule(issue)}.`
  if (meant === undefined) return atValue(document, path, { code: codeOf(issue), rule, fix: fixOf(schema, issue) })
  const content = JSON.stringify(meant)
  const repair = [{ offset: node.offset, length: node.length, content }]
  return atValue(document, path, { code: codeOf(issue), rule, fix: `Did you mean ${content}?`, repair })
}

/** The stable code of what zod has found. */
function codeOf({ code }: Issue): string {
  if (code === 'invalid_type' || code === 'invalid_union') return 'wrong-type'
  return code === 'too_big' || code === 'too_small' ? 'out-of-bounds' : 'invalid-value'
}

function fixOf({ examples = [], enum: choices = [] }: JsonSchema, issue: Issue): string {
  if (choices.length > 0) return `Write one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`
  if (examples.length > 0) return `Write something like ${JSON.stringify(examples[0])}.`
  return issue.code === 'too_big' ? 'Shorten it.' : 'Correct the value.'
}

function missing(document: JsonDocument, path: JsonPath, { examples = [], description = '' }: JsonSchema): Complaint {
  const key = String(path.at(-1))
  const misspelt = nearMissOf(document, path)
  const example = examples.length > 0 ? `, such as "${key}": ${JSON.stringify(examples[0])}` : ''
  const said = {
    code: 'missing-key',
    rule: `${spoken(path)} must be there${description === '' ? '' : `: ${lowered(description)}`}${description === '' ? '.' : ''}`,
    fix: misspelt === null ? `Add it${example}.` : `Rename "${misspelt}" to "${key}".`,
  }
  const id = path.length === 1 && key === 'pluginId' && misspelt === null ? slugOfName(document) : null
  if (id === null) return said
  const edits = modify(document.text, ['pluginId'], id, {
    formattingOptions: indentationOf(document.text),
    getInsertionIndex: behindSchema,
  })
  return { ...said, fix: `Add it: "pluginId": ${JSON.stringify(id)}.`, repair: edits }
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** A key beside the missing one that may be meant for it. */
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

/** An id that is made of the plugin's name, or null where it has no letter for one. */
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
