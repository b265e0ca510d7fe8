import { expect, test } from 'vitest'
import { refuseUndeliverable } from './refuse-undeliverable.ts'

const names: Record<string, readonly string[]> = {
  'shop.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
}
const resolve = async (hostname: string) => {
  const addresses = names[hostname]
  if (addresses === undefined) throw new Error('ENOTFOUND')
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
const refuse = (url: string, environment: 'local' | 'development' | 'production' = 'production') =>
  refuseUndeliverable(new URL(url), { environment, resolve })

test.for([
  'http://shop.example/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest',
  'https://inside.example/',
  'https://both.example/',
])('outside "local" %s is refused when it is added', async (url) => {
  for (const environment of ['development', 'production'] as const) {
    await expect(refuse(url, environment)).rejects.toMatchObject({
      code: 'parameter_invalid',
      details: { param: 'url' },
      message: expect.stringContaining('Name the https: address'),
    })
  }
})

test.for(['https://shop.example/hooks', 'https://93.184.215.14/', 'https://not-yet.example/'])(
  '%s may be added',
  async (url) => {
    await refuse(url)
  },
)

test('in "local" a shop on this machine may be added', async () => {
  await refuse('http://localhost:4410/webhooks', 'local')
})
