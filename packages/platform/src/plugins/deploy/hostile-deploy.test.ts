import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { deployBody, type DeployBody } from '../../../test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()

async function refused(inlineAssets: DeployBody['inlineAssets']) {
  const { local, request } = platform()
  const before = await rows()
  const body = deployBody(local.storeId, { inlineAssets })
  const { status, error } = await request('POST', contract.plugins.deploy.path, { body })
  expect(await rows()).toEqual(before)
  return [status, error.code, error.param]
}

async function rows() {
  const counts = ['plugins', 'plugin_deployments', 'plugin_files', 'plugin_assets'].map((table) =>
    platform().services.db.read(`SELECT COUNT(*) AS n FROM ${table}`, []),
  )
  return Promise.all(counts)
}

test.for([
  ['a path out of its folder', '../index.html'],
  ['a path out of its folder, in the middle', 'a/../../index.html'],
  ['a path from the root', '/etc/passwd'],
  ['a path from the root of a drive', 'C:/boot.ini'],
  ['an encoded slash', 'a%2f..%2f..%2fetc'],
  ['an encoded backslash', 'a%5c..%5cetc'],
  ['dots that are encoded', '%2e%2e/index.html'],
  ['a backslash', 'a\\index.html'],
  ['a name of a device of Windows', 'a/con.html'],
  ['a name of a device of Windows, in capitals', 'LPT1'],
  ['a dot at the end', 'a./index.html'],
  ['a space at the end', 'index.html '],
  ['a name without characters', 'a//index.html'],
  ['a stream of a file of Windows', 'index.html:$DATA'],
  ['an end of a line, as for a header', 'a\r\nSet-Cookie: x.html'],
  ['no characters', ''],
  ['513 characters', 'a'.repeat(513)],
])('a file with %s is refused', async ([, path = '']) => {
  expect(await refused([{ path, content: 'x' }])).toEqual([400, 'parameter_invalid', 'inlineAssets[0].path'])
})

test.for([
  ['letters of another case', 'Index.html'],
  ['marks that are written apart', 'a/u\u0308.html', 'a/\u00fc.html'],
  ['the same letters', 'index.html'],
])('two files whose paths differ by %s are refused', async ([, path = '', other = 'index.html']) => {
  const assets = [other, path].map((each) => ({ path: each, content: 'x' }))
  expect(await refused(assets)).toEqual([400, 'parameter_invalid', 'inlineAssets[1].path'])
})

test.for([
  ['a page that is called a picture', 'cat.png', 'text/html'],
  ['a script that is called a style', 'a.css', 'text/javascript'],
  ['a drawing that is called a text', 'a.txt', 'image/svg+xml'],
  ['a page of XML that is called data', 'a.json', 'application/xhtml+xml'],
  ['a page that is called a page and declared a text', 'index.html', 'text/plain'],
  ['a script that is declared a picture', 'a.js', 'image/png'],
])('%s is refused', async ([, path = '', contentType = '']) => {
  expect(await refused([{ path, content: 'x', contentType }])).toEqual([
    400,
    'parameter_invalid',
    'inlineAssets[0].contentType',
  ])
})

test('a type is a type and holds no header', async () => {
  const contentType = 'text/plain\r\nSet-Cookie: a=b'
  expect(await refused([{ path: 'a.txt', content: 'x', contentType }])).toEqual([
    400,
    'parameter_invalid',
    'inlineAssets[0].contentType',
  ])
})

test('a name that is a link on some systems is a file like others', async () => {
  const { local, call } = platform()
  const inlineAssets = [{ path: 'link.lnk', content: '/etc/passwd' }]
  const { deployment } = await call(contract.plugins.deploy, { body: deployBody(local.storeId, { inlineAssets }) })
  expect(deployment?.size).toBe(11)
})

test.for([
  ['script', 'app.mjs', 'application/javascript'],
  ['page', 'index.html', 'text/html; charset=iso-8859-1'],
  ['file of an unknown kind', 'model.bin', 'application/octet-stream'],
  ['picture of another kind', 'a.jpg', 'image/webp'],
  ['feed', 'news.xml', 'application/rss+xml'],
  ['file without an ending', 'LICENSE', 'text/plain'],
])('a %s is declared in more than one way', async ([, path = '', contentType = '']) => {
  const { local, request } = platform()
  const body = deployBody(local.storeId, { inlineAssets: [{ path, content: 'x', contentType }] })
  expect((await request('POST', contract.plugins.deploy.path, { body })).status).toBe(201)
})
