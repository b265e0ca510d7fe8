import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import type { RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { firstOf } from '../../../../.ci/soaks.ts'
import { openApi } from './openapi.ts'

const document = openApi('1.2.3', ['https://api.tillwright.test'], ['https://vault.tillwright.test'])

/** Spectral alone finds mostly faults of examples, which `examples-agree.test.ts` checks each time. */
const linters: readonly (readonly [rules: string, problems: () => Promise<unknown[]>])[] = [
  ['Redocly’s recommended rules', redocly],
  ['Spectral’s rules for OpenAPI', spectral],
]

test.each(firstOf(linters))('%s find no problem', async (_, problems) => {
  expect(await problems()).toEqual([])
})

async function redocly(): Promise<unknown[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The paths are those of the published reference, which has both /products/create and /products/{productId}.
      'no-ambiguous-paths': 'off',
      // The details of an event are described next to the rest of it, which each of the two would count as unknown.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
}

async function spectral(): Promise<unknown[]> {
  const engine = new spectralCore.Spectral()
  engine.setRuleset({
    extends: [[oas as RulesetDefinition, 'all']], // the types of the two packages are unrelated
    rules: {
      // The contact is the operator of the platform, which the contract does not know.
      'info-contact': 'off',
      // The licence has an SPDX identifier, and OpenAPI 3.1 allows only one of the two.
      'license-url': 'off',
      // Tags are in reading order.
      'openapi-tags-alphabetical': 'off',
    },
  })
  const problems = await engine.run(JSON.stringify(document))
  return problems.map(({ code, message, path }) => [code, message, path.join('.')])
}
