import type { Operation } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import type { Command } from 'commander'

type Schema = NonNullable<Operation['body']>

/** The fields that `--set` takes for a body, as the help lists them: a star marks what is required. */
export function fieldsHelp(body: Schema, command: Command): string {
  const help = command.createHelp()
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 })
  const fields = fieldsOf(body, '')
  const width = Math.min(Math.max(...fields.map(([name]) => name.length)), LONGEST_NAME)
  const lines = fields.map(([name, description]) => help.formatItem(name, width, description, help))
  return ['', 'Fields (--set), * is required:', ...lines].join('\n')
}

/** A longer name has its description behind it, wherever that begins. */
const LONGEST_NAME = 32

function fieldsOf(schema: Schema, path: string): [name: string, description: string][] {
  const { shape } = Object(schema)
  if (!isObject(shape)) return []
  return Object.entries(shape).flatMap(([name, field]) => {
    const outer = field as Schema // shapes of schemas are schemas
    const { inner, description } = unwrapped(outer)
    const star = outer.safeParse(undefined).success ? '' : ' *'
    const { element } = Object(inner)
    const within = element === undefined ? fieldsOf(inner, `${path}${name}.`) : fieldsOf(element, `${path}${name}[0].`)
    return [[`${path}${name}${star}`, description], ...within]
  })
}

/** A schema without what makes it optional or nullable, and the first description on the way there. */
function unwrapped(schema: Schema): { inner: Schema; description: string } {
  const { innerType } = Object(schema.def)
  const own = schema.description
  if (innerType === undefined) return { inner: schema, description: own ?? '' }
  const { inner, description } = unwrapped(innerType)
  return { inner, description: own ?? description }
}
