import { expect, test } from 'vitest'
import { demoPreviewsOf } from './previews.ts'

const page = (id: string, path: string) => ({ id, path, name: id, isDefault: id === 'pay', entry: '' })
const pages = [page('pay', '/'), page('thanks', '/thanks/:orderId'), page('other', '/other')]

test('each scenario is a preview of its page, and waits for its screenshots', () => {
  const made = demoPreviewsOf({ pages }, [
    { name: 'Plain' },
    { name: 'Dark', preset: 'dark' },
    { name: 'Thanks', page: 'thanks', params: { orderId: 'order_1' } },
  ])
  expect(
    made.pages.map(({ path, previews }) => [path, previews.map(({ id, previewUrl }) => [id, previewUrl])]),
  ).toEqual([
    [
      '/',
      [
        ['plain', '/'],
        ['dark', '/'],
      ],
    ],
    ['/thanks/:orderId', [['thanks', '/thanks/order_1']]],
  ])
  expect(made.pages[0]?.previews[1]?.metadata).toMatchObject({ status: 'pending', preset: 'dark' })
})
