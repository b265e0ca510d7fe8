import { openApi, pluginFileSchema } from '../../packages/contract/src/index.ts'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { PageSnippet } from './read-snippets.ts'

/**
 * Checks snippets in JSON: each parses, and one with `schema="Payment"` is a resource of the contract, with `schema="plugin.json"` a
 * manifest. Comments and `"..."` for what is left out are for readers.
 */
export function checkJson(snippets: readonly PageSnippet[]): string[] {
  const checked = snippets.filter(({ language, notRun }) => /^jsonc?$/.test(language) && notRun === null)
  return checked.flatMap(({ code, schema, place }) => {
    try {
      const value: unknown = JSON.parse(withoutComments(code))
      return schema === null ? [] : complaints(value, schema).map((complaint) => `${place} ${complaint}`)
    } catch (error) {
      return [`${place} ${String(error)}`]
    }
  })
}

function withoutComments(code: string): string {
  return code.replaceAll(/(?<=^|\s)\/\/.*$/gm, '').replaceAll(/,(?=\s*[}\]])/g, '')
}

function complaints(value: unknown, name: string): string[] {
  const options = { strict: false, validateFormats: false, allErrors: true }
  const { components } = openApi('1.0.0', ['https://api.example.com'])
  const validate =
    name === 'plugin.json'
      ? new Ajv(options).compile(pluginFileSchema()) // an older draft, which editors know
      : new Ajv2020(options).compile({ $ref: `#/components/schemas/${name}`, components })
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'The value'} ${message}.`)
}
