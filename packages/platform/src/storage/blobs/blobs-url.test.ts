import { expect, test } from 'vitest'
import { readBlobsUrl } from './blobs-url.ts'

test('a bucket, a prefix, an endpoint and a region are read', () => {
  expect(readBlobsUrl('s3://files', false)).toEqual({
    bucket: 'files',
    prefix: '',
    endpoint: undefined,
    region: undefined,
  })
  const text = 's3://my-files/a/b/?endpoint=https://s3.example.com&region=eu-west-1'
  const place = { bucket: 'my-files', prefix: 'a/b', endpoint: 'https://s3.example.com', region: 'eu-west-1' }
  expect(readBlobsUrl(text, false)).toEqual(place)
  const local = readBlobsUrl('s3://files?endpoint=http://127.0.0.1:9000', true)
  expect(local).toMatchObject({ endpoint: 'http://127.0.0.1:9000', region: 'us-east-1' })
})

test.for([
  ['https://files', 'must be such as'],
  ['s3:///prefix', 'must be such as'],
  ['files', 'must be such as'],
  ['s3://key:secret@files', 'AWS_ACCESS_KEY_ID'],
  ['s3://files?regoin=x', 'not "regoin"'],
  ['s3://files?endpoint=http://s3.example.com', 'endpoint must be an https://'],
  ['s3://files?endpoint=s3.example.com', 'endpoint must be'],
  ['s3://files?endpoint=https://u:p@s3.example.com', 'endpoint must be'],
] as const)('%s is refused in words that say what is wrong', ([text, words]) => {
  expect(readBlobsUrl(text, false)).toContain(words)
})
