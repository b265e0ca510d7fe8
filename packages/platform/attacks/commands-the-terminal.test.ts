import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// A tenant chooses names that an operator's terminal would obey, and another's plugin has such text in its files.
// They want to show something else than what is there, to change the window's title or what is in its clipboard.

const platform = sharedPlatform()
const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

/** Clears the screen, sets the title, fills the clipboard, by characters of seven and of eight bits. */
const ORDERS = '\u001B[2J\u001B]0;paid\u0007\u001B]52;c;cm0gLXJm\u0007\u009B2J\u202E'

async function tillwright(...args: string[]): Promise<string> {
  const env = { ...process.env, ...platform().settings, NO_COLOR: '1' }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (_, out, err) => resolve(out + err))
  })
}

/** Everything but line breaks that a terminal obeys, or that changes the order in which it shows text. */
const obeyed = /[^\P{Cc}\n]|\p{Bidi_Control}/u

test('the name of a processor is shown to the operator, and not obeyed', async () => {
  const { call } = platform()
  const { id, attempts } = await pay(platform(), (await newInstrument(platform())).id)
  const processorId = attempts[0]?.processorId ?? ''
  const { revision } = await call(contract.processors.get, { params: { processorId } })
  const body = { revision, name: `Acquirer${ORDERS}` }
  await call(contract.processors.update, { params: { processorId }, body })
  const text = await tillwright('payments', 'explain', id)
  expect(text).toContain('Acquirer')
  expect(text).not.toMatch(obeyed)
  const json = await tillwright('payments', 'explain', id, '--json')
  expect(json).not.toMatch(obeyed)
  expect(JSON.parse(json)).toMatchObject({ processors: { [processorId]: body.name } })
})

test('what stands in the files of a plugin is shown to its reader, and not obeyed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'plugin.manifest.json'), JSON.stringify({ [`name${ORDERS}`]: 1 }))
  const text = await tillwright('validate', folder)
  expect(text).toContain('plugin.manifest.json')
  expect(text).not.toMatch(obeyed)
})
