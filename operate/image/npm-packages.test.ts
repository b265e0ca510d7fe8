import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { collectPackages, filesOf } from './npm-packages.ts'

const platform = join(import.meta.dirname, '../../packages/platform')

/** The platform's imports of processors' libraries. */
const imports = `
import client from '@adyen/api-library/lib/src/client.js'
import '@adyen/api-library/lib/src/config.js'
import '@adyen/api-library/lib/src/services/checkout/modificationsApi.js'
import '@adyen/api-library/lib/src/services/checkout/paymentsApi.js'
import '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import '@adyen/api-library/lib/src/utils/hmacValidator.js'
import { Client } from '@paypal/paypal-server-sdk'
import { Payments } from 'checkout-sdk-node'
console.log([client.default, Client, Payments].map((each) => typeof each).join(' '))`

test('the parts of processors’ libraries that are in the image are all that they need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'libraries-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const packages = await collectPackages(
    new Map([['@tillwright/platform', { unpacked: platform, workspace: platform }]]),
  )
  for (const each of packages.filter(({ name }) => !name.startsWith('@tillwright/'))) {
    for (const { path, content } of await filesOf(each, '')) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      if (Buffer.isBuffer(content)) await writeFile(join(folder, path), content)
    }
  }
  await writeFile(join(folder, 'imports.mjs'), imports)
  expect(execFileSync(process.execPath, [join(folder, 'imports.mjs')], { encoding: 'utf8' })).toBe(
    'function function function\n',
  )
})
