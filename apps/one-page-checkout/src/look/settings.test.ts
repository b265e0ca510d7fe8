import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { luminanceOf, readableOn } from './readable-on.ts'
import { readSettings } from './settings.ts'

const templates = { digital: { address: 'none' } }

test('a template that the address names stands over the live settings; others change nothing', () => {
  const config = { brandName: 'Shop', address: 'full' } as const
  expect(readSettings(config, templates, '?template=digital')).toMatchObject({ brandName: 'Shop', address: 'none' })
  expect(readSettings(config, templates, '?template=constructor')).toEqual(readSettings(config, templates, ''))
})

test('a setting that is not set has the schema’s default', async () => {
  const schema = JSON.parse(await readFile(join(import.meta.dirname, '../../config/schema.json'), 'utf8'))
  const properties = Object.entries<{ default?: unknown; format?: string }>(schema.properties)
  const said = properties.map(([name, { default: value = {} }]) => [name, value])
  expect(readSettings({}, {}, '')).toEqual(Object.fromEntries(said))
})

test('letters on any accent have a contrast of more than 4.3 to 1', () => {
  const channel = fc.nat(255)
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (ground) => {
      const letters = readableOn(ground) === '#ffffff' ? luminanceOf([255, 255, 255]) : luminanceOf([16, 18, 26])
      const [light, dark] = [letters, luminanceOf(ground)].toSorted((one, other) => other - one)
      expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toBeGreaterThan(4.3)
    }),
  )
})
