import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { PluginChoices } from './choices.ts'
import { ask } from './questions.ts'

const ENTER = '\r'
const DOWN = '\u001B[B'
const CTRL_C = '\u0003'

/** Answers each question with keys when it appears, and returns the questions. */
async function answering(said: Partial<PluginChoices>, answers: Readonly<Record<string, readonly string[]>>) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  const asked: string[] = []
  output.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString())
    for (const [question, keys] of Object.entries(answers)) {
      if (asked.includes(question) || !text.includes(question)) continue
      asked.push(question)
      for (const key of keys) setImmediate(() => input.write(key))
    }
  })
  const wanted = await ask(said, 'pnpm/12.21.0 node/v26', { input, output })
  return { wanted, asked }
}

test('without options everything is asked, and Enter takes the default', async () => {
  const answers = {
    'Name of the plugin': [ENTER],
    Template: [ENTER],
    'Written in': [ENTER],
    'Run "pnpm install" now?': [ENTER],
  }
  const { wanted, asked } = await answering({}, answers)
  expect(asked).toEqual(Object.keys(answers))
  expect(wanted).toEqual({
    folder: 'my-plugin',
    name: 'My plugin',
    template: 'blank',
    language: 'typescript',
    framework: 'preact',
    packageManager: 'pnpm',
    variant: '',
    install: true,
    git: false,
  })
})

test('the keys choose, and what was said is not asked', async () => {
  const answers = {
    Template: [DOWN, ENTER],
    'Product variant to sell': [...'variant_1', ENTER],
    'Written in': [DOWN, ENTER],
  }
  const { wanted, asked } = await answering(
    { folder: 'shop', name: 'Shop', language: 'javascript', install: false },
    answers,
  )
  expect(asked).toEqual(['Template', 'Product variant to sell', 'Written in'])
  expect(wanted.variant).toBe('variant_1')
  expect(wanted).toMatchObject({ folder: 'shop', template: 'checkout', language: 'javascript', framework: 'react' })
  const known = await answering(
    { name: 'Ada’s', template: 'blank', install: true, language: 'typescript', framework: 'react' },
    {},
  )
  expect(known).toMatchObject({ asked: [], wanted: { folder: 'ada-s', framework: 'react' } })
})

test('Ctrl-C at a question ends it, before anything is written', async () => {
  await expect(answering({}, { 'Name of the plugin': [CTRL_C] })).rejects.toMatchObject({ failure: 'interrupted' })
})
