import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from './contract.ts'
import { type JsonSchema, resolveSchema } from './examples.ts'
import type { Operation } from './operation.ts'
import { type PageField, pageFields } from './page-fields.ts'

const browserAudiences = ['page', 'session', 'frame']

const sendable = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named)
    .filter(([, { audience }]) => browserAudiences.includes(audience))
    .map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)

const described = new Map<string, Record<string, PageField>>(
  Object.entries(pageFields).flatMap(([group, named]) =>
    Object.entries<Record<string, PageField>>(named).map(([name, fields]) => [`${group}.${name}`, fields] as const),
  ),
)

test.for(sendable)('every field of $id says who decides it', ({ id, operation }) => {
  expect(Object.keys(described.get(id) ?? {}).toSorted()).toEqual(fieldsOf(operation).toSorted())
})

test('the table has only operations that a browser can call', () => {
  expect([...described.keys()].toSorted()).toEqual(sendable.map(({ id }) => id).toSorted())
})

test('the documentation page matches the table', async () => {
  await expect(rendered()).toMatchFileSnapshot('../../../apps/docs/pages/checkout/page-fields.md')
})

/** The fields of parameters, query and body, named as in the table. */
function fieldsOf({ params, query, body }: Operation): string[] {
  return [
    ...leavesOf(params).map((name) => `params.${name}`),
    ...leavesOf(query).map((name) => `query.${name}`),
    ...leavesOf(body),
  ]
}

function leavesOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return [...new Set(leavesAt(root, '', root))]
}

function leavesAt(schema: JsonSchema, path: string, root: JsonSchema): string[] {
  const { properties, items, anyOf = [], oneOf = [] } = resolveSchema(schema, root)
  const branches = [...anyOf, ...oneOf].flatMap((branch) => (typeof branch === 'object' ? [branch] : []))
  const inBranches = branches.flatMap((branch) => leavesAt(branch, path, root)).filter((leaf) => leaf !== path)
  if (inBranches.length > 0) return inBranches
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, inner]) =>
      leavesAt(typeof inner === 'object' ? inner : {}, path === '' ? name : `${path}.${name}`, root),
    )
  }
  return typeof items === 'object' && !Array.isArray(items) ? leavesAt(items, `${path}[]`, root) : [path]
}

function rendered(): string {
  const tables = sendable.map(({ id, operation: { method, path, summary } }) => {
    const rows = Object.entries(described.get(id) ?? {})
    const list = rows.map(([field, { decides, why }]) => `| \`${field}\` | ${decides} | ${why} |`)
    const table = ['| field | decided by | why it cannot change the price |', '|---|---|---|', ...list]
    return [`### ${summary}`, `\`${method} ${path}\``, rows.length === 0 ? 'Takes nothing.' : table.join('\n')].join(
      '\n\n',
    )
  })
  return `${introduction}\n\n${tables.join('\n\n')}\n`
}

const introduction = `# What a page may send

A buyer's page and its frames run in a browser that the visitor controls. So nothing they send is a
price: a page refers to variants, prices that the merchant has marked with \`offeredToPages\`, shipping options and promotion
codes, and the server looks up what they cost. Free trials come from prices and promotions. Any other field of an order's line is
refused with a 400; unknown fields elsewhere are ignored.

This page is rendered from \`packages/contract/src/page-fields.ts\` by its test. \`packages/platform/attacks/prices-from-the-page.test.ts\`
tries each field with generated values, and compares what is captured with the merchant's prices.

*Decided by* says who determines a field's effect: the buyer's choice, the merchant's catalogue and settings, the platform's own
records, or the card's issuer; *none* if it has no effect.

## Operations`
