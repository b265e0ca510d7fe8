import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { optionName } from '../../operator/check-processor.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { ownSettings, processorSettings } from './processor-settings.ts'
import { processorRegistry } from './registry.ts'
import { simulatorDriver } from './simulator.ts'

const docs = join(import.meta.dirname, '../../../../../docs/processors.md')

const acme: ProcessorDriver = {
  ...simulatorDriver,
  name: 'acme',
  title: 'Acme',
  settings: processorSettings,
  capabilities: { movesMoney: true },
}

test('a driver that is handed in is found by its name, and one that nobody has handed in is not', () => {
  const registry = processorRegistry('production', [acme])
  expect(registry.find('acme')).toBe(acme)
  expect(registry.find('stripe')?.title).toBe('Stripe')
  for (const name of ['simulator', 'Stripe', 'stripe ', '', '__proto__', 'constructor']) {
    expect(registry.find(name)).toBeNull()
  }
})

test('in production a simulator serves previews alone, and elsewhere payments too', () => {
  expect(processorRegistry('production').find('simulator')).toBeNull()
  expect(processorRegistry('production').preview).toBe(simulatorDriver)
  expect(processorRegistry('development').find('simulator')).toBe(simulatorDriver)
  expect(processorRegistry('production', []).preview).toBeNull()
})

test('two drivers of one name, and names that no row can have, are mistakes of the composition', () => {
  expect(() => processorRegistry('local', [acme, acme])).toThrow("two drivers called 'acme'")
  for (const name of ['Acme', '1acme', 'a-b', '', 'a'.repeat(41)]) {
    expect(() => processorRegistry('local', [{ ...acme, name }])).toThrow('cannot be the name')
  }
})

test('the page on processors tells of every driver, its options and where its events go', async () => {
  const page = await readFile(docs, 'utf8')
  for (const { name, title, settings, events } of processorRegistry('production').drivers) {
    const options = ownSettings(settings).map((own) => `\`${optionName(own.name)}\``)
    const door = events === undefined ? '-' : `\`.../${name}-events\``
    expect(page).toContain(`| \`${name}\` | ${title} | ${options.join(' ') || '-'} | ${door} |`)
  }
})
