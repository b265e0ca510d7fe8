import { expect, test } from 'vitest'
import { bomProblems } from '../operate/image/bom-problems.ts'
import { publicPackages } from '../.ci/public-packages.ts'
import { soaks } from '../.ci/soaks.ts'
import { sbomOf } from './sbom.ts'

test('the bill of materials of a package names what it brings along and what is bundled, the same each time', async () => {
  const slice = ['@tillwright/client', '@tillwright/create-plugin']
  const packages = (await publicPackages()).filter(({ name }) => soaks || slice.includes(name))
  const named = new Map<string, string[]>()
  for (const each of packages) {
    const sbom = await sbomOf(each)
    expect([each.name, await bomProblems(sbom)]).toEqual([each.name, []])
    const { components } = JSON.parse(sbom) as { components: { name: string }[] }
    named.set(
      each.name,
      components.map(({ name }) => name),
    )
    if (!soaks) expect(await sbomOf(each)).toBe(sbom)
  }
  expect(named.get('@tillwright/client')).toEqual(
    expect.arrayContaining(['@tillwright/contract', 'standardwebhooks', 'zod']),
  )
  expect(named.get('@tillwright/create-plugin')).toContain('@clack/prompts')
}, 300_000)
