import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { expect, test } from 'vitest'
import { optionName } from '../operator/check-processor.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { processorRegistry } from './registry.ts'
import { ownSettings, processorSettings } from './settings.ts'
import { simulatorDriver, simulatorOf } from './simulator.ts'

const docs = join(import.meta.dirname, '../../../../apps/docs/pages/payments/processors.md')

const acme: ProcessorDriver = {
  ...simulatorDriver,
  name: 'acme',
  title: 'Acme',
  settings: processorSettings,
  capabilities: { ...simulatorDriver.capabilities, movesMoney: true },
}

test('a driver that is handed in is found by its name, and an unknown one is not', () => {
  const registry = processorRegistry('production', [acme])
  expect(registry.find('acme')).toBe(acme)
  expect(registry.find('stripe')?.title).toBe('Stripe')
  for (const name of ['simulator', 'Stripe', 'stripe ', '', '__proto__', 'constructor']) {
    expect(registry.find(name)).toBeNull()
  }
})

test('in production there are no simulated processors, and previews are answered by one that is built in', async () => {
  const { find, preview, simulators } = processorRegistry('production', [])
  expect([find('simulator'), preview.name, simulators]).toEqual([null, 'preview', [simulatorDriver]])
})

test('elsewhere payments and previews go to the simulator that was handed in, and to none where none was', () => {
  const handedIn = simulatorOf(bankSimulator)
  const { find, preview } = processorRegistry('development', [handedIn])
  expect([find('simulator'), preview]).toEqual([handedIn, handedIn])
  expect(processorRegistry('development', []).find('simulator')).toBeNull()
})

test('operators may name the simulator without having one, but not in production', async () => {
  expect(processorRegistry('development').find('simulator')).toBe(simulatorDriver)
  expect(processorRegistry('development').preview.name).toBe('preview')
  expect(processorRegistry('production').find('simulator')).toBeNull()
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
