import { contract, openApi, type Operation, pluginFileSchema } from '../../packages/contract/src/index.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { scenariosSchema } from '../../packages/plugin-dev/src/scenarios/index.ts'
import type { PageSnippet } from './read-snippets.ts'

/**
 * Checks snippets in JSON: each is what its `schema` or, without one, its `title` says. That is a resource of the contract
 * (`Payment`), what an operation takes (`POST /api/payments/v1/payments`), or a file (`plugin.json`, `scenarios.json`,
 * `package.json`). Comments and `"..."` for what is left out are for readers.
 */
export function checkJson(snippets: readonly PageSnippet[]): string[] {
  const checked = snippets.filter(({ language, notRun }) => /^jsonc?$/.test(language) && notRun === null)
  return checked.flatMap(({ code, schema, title, place }) => {
    const complaintsOf = reader(schema ?? title ?? '')
    if (complaintsOf === null) return [`${place} names no schema that there is: say what it is in \`schema="..."\`.`]
    try {
      return complaintsOf(JSON.parse(withoutComments(code))).map((complaint) => `${place} ${complaint}`)
    } catch (error) {
      return [`${place} ${String(error)}`]
    }
  })
}

function withoutComments(code: string): string {
  return code.replaceAll(/(?<=^|\s)\/\/.*$/gm, '').replaceAll(/,(?=\s*[}\]])/g, '')
}

const options = { strict: false, validateFormats: false, allErrors: true }
const document = openApi('1.0.0', ['https://api.example.com'])
const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))

/**
 * The `package.json` of a quickstart. Only scripts and versions are checked here; the release rehearsal installs and
 * builds with it.
 */
const packageSchema = {
  type: 'object',
  properties: {
    private: { const: true },
    type: { const: 'module' },
    scripts: { $ref: '#/$defs/texts' },
    dependencies: { $ref: '#/$defs/versions' },
    devDependencies: { $ref: '#/$defs/versions' },
  },
  required: ['private', 'type'],
  additionalProperties: false,
  $defs: {
    texts: { type: 'object', additionalProperties: { type: 'string' } },
    versions: { type: 'object', additionalProperties: { type: 'string', pattern: '^[\\^~]\\d+\\.\\d+\\.\\d+$' } },
  },
}

/** The settings of Angular's CLI and of the compiler, which read them in the release rehearsal. */
const settingsFiles = ['angular.json', 'proxy.json', 'tsconfig.json']

type Reader = (value: unknown) => readonly string[]

function reader(name: string): Reader | null {
  if (name === 'plugin.json') return bySchema(new Ajv(options).compile(pluginFileSchema())) // an older draft, which editors know
  if (name === 'scenarios.json') return bySchema(new Ajv(options).compile(scenariosSchema()))
  if (settingsFiles.includes(name)) return () => []
  if (name === 'package.json') return bySchema(new Ajv2020(options).compile(packageSchema))
  const { components } = document
  if (name in components.schemas)
    return bySchema(new Ajv2020(options).compile({ $ref: `#/components/schemas/${name}`, components }))
  const { body } = operations.find(({ method, path }) => `${method} ${path}` === name) ?? {}
  return body === undefined ? null : (value) => body.safeParse(value).error?.issues.map(({ message }) => message) ?? []
}

function bySchema(validate: ValidateFunction): Reader {
  return (value) => {
    const leftOut = new Set<string>()
    validate(withoutGaps(value, leftOut))
    const errors = validate.errors ?? []
    return errors
      .filter(({ keyword, instancePath }) => !(keyword === 'required' && leftOut.has(instancePath)))
      .map(({ instancePath, message }) => `${instancePath || 'The value'} ${message}.`)
  }
}

/** Takes out each `"..."`, and notes the objects that have one. */
function withoutGaps(value: unknown, leftOut: Set<string>, path = ''): unknown {
  if (Array.isArray(value)) return value.map((each, index) => withoutGaps(each, leftOut, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  if ('...' in value) leftOut.add(path)
  const kept = Object.entries(value).filter(([key]) => key !== '...')
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutGaps(each, leftOut, `${path}/${key}`)]))
}
