import { isObject, type JsonObject, valueOf } from './json.ts'
import { listIn, objectIn, textIn } from './schema.ts'

/** How an author wants settings to be shown, in RJSF's words: https://rjsf-team.github.io/react-jsonschema-form/docs/api-reference/uiSchema/ */
export type UiSchema = JsonObject

/** A keyword, which stands either as `ui:widget` or as `widget` in `ui:options`. */
export function uiWord(ui: UiSchema, word: string): unknown {
  return valueOf(ui, `ui:${word}`) ?? valueOf(valueOf(ui, 'ui:options'), word)
}

/** Fields that stand together. */
export interface Group {
  /** Empty for those that no group names. */
  title: string
  fields: readonly string[]
}

/** The fields of an object in the author's order and groups. Those that are named nowhere follow at the end. */
export function groupsOf(names: readonly string[], ui: UiSchema): readonly Group[] {
  const ordered = inOrder(names, listIn(uiWord(ui, 'order')).map(String))
  const groups = writtenGroups(uiWord(ui, 'groups')).map(({ title, fields }) => ({
    title,
    fields: fields.filter((name) => names.includes(name)),
  }))
  const placed = new Set(groups.flatMap(({ fields }) => fields))
  const rest = ordered.filter((name) => !placed.has(name))
  return [...groups, { title: '', fields: rest }].filter(({ fields }) => fields.length > 0)
}

/** Groups are a list of `{ title, fields }`, or an object of these or of lists of fields by title. */
function writtenGroups(groups: unknown): readonly Group[] {
  const written = Array.isArray(groups)
    ? groups.map((each) => [textIn(valueOf(each, 'title')) ?? '', each] as const)
    : Object.entries(objectIn(groups))
  return written.map(([title, group]) => ({
    title: (isObject(group) && textIn(group['title'])) || title,
    fields: listIn(Array.isArray(group) ? group : valueOf(group, 'fields')).map(String),
  }))
}

function inOrder(names: readonly string[], order: readonly string[]): readonly string[] {
  const unnamed = names.filter((name) => !order.includes(name))
  const written = order.includes('*') ? order : [...order, '*']
  return [...new Set(written.flatMap((name) => (name === '*' ? unnamed : names.includes(name) ? [name] : [])))]
}
