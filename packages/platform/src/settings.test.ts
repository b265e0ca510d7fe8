import { expect, test } from 'vitest'
import { z } from 'zod'
import { settingsOfRooms } from './config.ts'
import { aboutSettings } from './runtime/index.ts'

const titles: Readonly<Record<keyof typeof settingsOfRooms, string>> = {
  process: 'The process',
  roles: 'Roles, and the channel between them',
  origins: 'Origins',
  http: 'Requests',
  storage: 'Storage',
  keys: 'Keys',
  vault: 'Cards',
  members: 'Members',
  retention: 'Retention',
  oversight: 'The operator',
  telemetry: 'Metrics and traces',
}

test('apps/docs/pages/operating/settings.md lists every setting with its values, its default and what it is for', async () => {
  await expect(rendered()).toMatchFileSnapshot('../../../apps/docs/pages/operating/settings.md')
})

function rendered(): string {
  const tables = Object.entries(settingsOfRooms).map(([room, variables]) =>
    [
      `## ${titles[room as keyof typeof titles]}`, // a key of `settingsOfRooms`
      '',
      '| variable | values | default | what it is for |',
      '|---|---|---|---|',
      ...Object.entries<z.ZodType>(variables).map(([name, schema]) => row(name, schema)),
    ].join('\n'),
  )
  return `# Settings

Every environment variable that a platform reads. Those that are wrong are all named when it starts, each with its fix, and the
process exits with 78. So is a variable that begins with \`TILLWRIGHT_\` and that nothing reads, with the nearest name that
something does; and a parameter of a database's address that nothing reads. Variables of shops and of the options of
\`tillwright\` may be set beside. This page is rendered by \`packages/platform/src/settings.test.ts\` from the declarations, which stand next to the code that they set.

${tables.join('\n\n')}
`
}

function row(name: string, schema: z.ZodType): string {
  const about = aboutSettings.get(schema)
  if (about === undefined) throw new Error(`${name} is not declared with setting().`)
  const { unit = name.endsWith('_PORT') ? 'port' : undefined } = about
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' })
  const unset = json.default === undefined ? 'none' : `\`${JSON.stringify(json.default).replace(/^"|"$/g, '')}\``
  return `| \`${name}\` | ${about.form ?? valuesOf(json, unit)} | ${about.fallback ?? unset} | ${about.doc} |`
}

function valuesOf(json: z.core.JSONSchema.BaseSchema, unit: string | undefined): string {
  if (json.enum !== undefined) return json.enum.map((choice) => `\`${choice}\``).join(', ')
  if (json.format === 'uri') return 'URL'
  if (json.type === 'string') return 'text'
  if (unit === undefined) throw new Error('A number has a unit.')
  return `${unit}, ${json.minimum} to ${json.maximum}`
}
