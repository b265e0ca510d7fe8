import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import Ajv from 'ajv'

/** Compares a bill of materials with the schema of CycloneDX 1.6; nothing where it fits. */
export async function bomProblems(sbom: string): Promise<unknown> {
  const require = createRequire(import.meta.url)
  const folder = join(require.resolve('@cyclonedx/cyclonedx-library/package.json'), '../res/schema')
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const ajv = new Ajv.default({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile({ ...(await read('bom-1.6')), $schema: undefined })
  return validate(JSON.parse(sbom)) ? [] : validate.errors
}
