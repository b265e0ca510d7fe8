import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testCards } from '../../../bank-simulator/src/index.ts'
import { scenarioCards, scenariosFile, scenariosSchema } from './scenario.ts'
import { defaultScenarios, readScenarios, scenarioIds } from './scenarios-file.ts'

const plugin = {
  pages: [{ id: 'home', path: '/', name: 'Home', isDefault: true, entry: 'src/pages/home.tsx' }],
  configuration: { schema: null, uiSchema: null, presets: { dark: {} }, defaultPreset: 'dark' },
}

async function read(text: string | null) {
  const root = await mkdtemp(join(tmpdir(), 'scenarios-'))
  onTestFinished(() => rm(root, { recursive: true }))
  if (text !== null) await writeFile(join(root, 'scenarios.json'), text)
  return readScenarios({ root, ...plugin })
}

test('a plugin without the file is seen in the default scenarios, which are such a file', async () => {
  expect(await read(null)).toEqual({ scenarios: defaultScenarios, problems: [] })
  expect(scenariosFile.parse({ scenarios: defaultScenarios }).scenarios).toEqual(defaultScenarios)
})

test('a scenario names what it sets; comments are read, and a line is of one piece unless it says more', async () => {
  const { scenarios, problems } = await read(
    '{ "scenarios": [{ "name": "A", "page": "home", "preset": "dark", "card": "4000000000000002", // no\n "lines": [{ "variantId": "v" }], "viewport": { "width": 390, "height": 844 } }] }',
  )
  expect(problems).toEqual([])
  expect(scenarios).toMatchObject([{ name: 'A', lines: [{ variantId: 'v', quantity: 1 }] }])
})

test.for([
  ['an unknown key', '{\n "scenarios": [{ "name": "A", "cart": 1 }] }', 'unknown-key', 2, 31],
  ['an unknown key next to the list', '{ "scenarios": [{ "name": "A" }],\n "more": 1 }', 'unknown-key', 2, 2],
  ['an unknown page', '{ "scenarios": [{ "name": "A",\n "page": "none" }] }', 'unknown-page', 2, 10],
  ['an unknown preset', '{ "scenarios": [{ "name": "A",\n "preset": "none" }] }', 'unknown-preset', 2, 12],
  ['a name that is there twice', '{ "scenarios": [{ "name": "A" },\n { "name": "A" }] }', 'invalid-value', 2, 12],
  ['a card that there is not', '{ "scenarios": [{ "name": "A",\n "card": "gold" }] }', 'invalid-value', 2, 10],
  ['no scenario', '{\n "scenarios": [] }', 'invalid-value', 2, 15],
  ['half a file', '{ "scenarios": [{', 'syntax', 1, 18],
] as const)('%s is told with its place', async ([, text, code, line, column]) => {
  const { scenarios, problems } = await read(text)
  expect(scenarios).toBeNull()
  expect(problems[0]).toMatchObject({ code, line, column, file: 'scenarios.json', severity: 'error' })
})

test('a card that there is not is answered with those that there are', async () => {
  const { problems } = await read('{ "scenarios": [{ "name": "A", "card": "declynd" }] }')
  expect(problems.map(({ rule }) => rule)).toEqual([
    expect.stringMatching(
      /^"scenarios\.0\.card": must be "success", .*"declined", .*, or the number of a test card\.$/,
    ),
  ])
})

test('cards that are refused by name are those that the simulator refuses', () => {
  const charged = ['success', 'success_mastercard', 'success_amex', 'threeds']
  for (const [name, number] of Object.entries(scenarioCards)) {
    expect(testCards.has(number), name).toBe(!charged.includes(name))
  }
})

test('the schema for editors refuses unknown keys as the reader does', () => {
  const schema = JSON.stringify(scenariosSchema())
  expect(schema).toContain('"additionalProperties":false')
  expect(schema).toContain('"phone"')
})

const idsOf = (...names: string[]) => scenarioIds(names.map((name) => ({ name })))

test('an id is what a name has of letters and digits, and no two scenarios have the same', () => {
  expect(idsOf('Card is charged', 'Überweisung, 2', 'Card: is charged!', '日本')).toEqual([
    'card-is-charged',
    'uberweisung-2',
    'card-is-charged-3',
    'scenario-4',
  ])
})

test('an id is short enough for a file, however long a name is', () => {
  expect(idsOf('a '.repeat(50))[0]?.length).toBeLessThanOrEqual(60)
})
