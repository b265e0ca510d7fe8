import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { startLocal } from '../testing/start-local.ts'

test('publish opens the live page, sees the price, and fails when it does not show one', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const settings = {
    TILLWRIGHT_HOME: local.home,
    PATH: process.env['PATH'] ?? '',
    CHROME_PATH: process.env['CHROME_PATH'] ?? '',
  }
  const folder = await simplePlugin('', [{ name: 'Plain' }])
  const file = join(folder, 'plugin.manifest.json')
  const schema = {
    type: 'object',
    required: ['product'],
    properties: { product: { type: 'string', format: 'variant' } },
  }
  const configuration = { schema, presets: { day: { product: '' } } }
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), configuration }))
  const publish = async (text: string, ...more: string[]) => {
    await writeFile(join(folder, 'src/pages/home.ts'), `document.body.append(${JSON.stringify(text)})\n`)
    const { code, out } = await runCommand(['publish', folder, '--json', ...more], settings)
    return { code, answer: JSON.parse(out) }
  }
  const empty = await publish('Soon')
  expect(empty).toMatchObject({ code: 1, answer: { published: { visit: { status: 200, price: 'missing' } } } })
  const [amount = 0] = Object.values<number>(empty.answer.sale.offer.amounts)
  const priced = await publish(`Now $${(amount / 100).toFixed(2)}`)
  expect(priced).toMatchObject({ code: 0, answer: { published: { visit: { status: 200, price: 'seen' } } } })
  expect(await publish('Soon', '--no-visit')).toMatchObject({ code: 0, answer: { published: { visit: null } } })
}, 120_000)
