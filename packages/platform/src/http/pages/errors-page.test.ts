import { errorFixes, errorKinds, errorMeanings } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { ApiError } from '../../runtime/errors.ts'
import { errorBody } from '../operations/error-body.ts'
import { errorsPage } from './errors-page.ts'

const platform = sharedPlatform()
const codes = Object.keys(errorKinds) as (keyof typeof errorKinds)[] // the keys of the table are its codes

test.for(codes)('the address that %s names leads to its own place on the page, with cause and fix', (code) => {
  const { docUrl } = errorBody(new ApiError(code, 'No.'), 'req_1', 'http://localhost/docs').error
  const { pathname, hash } = new URL(docUrl)
  expect(pathname).toBe('/docs/errors')
  const [, section = '', ...others] = errorsPage.html('').split(`id="${hash.slice(1)}"`)
  expect(others).toEqual([])
  expect(section.split('</section>')[0]).toMatch(/<b>Cause:<\/b> .+<b>Fix:<\/b> /s)
  expect(errorFixes[code]).not.toBe(errorMeanings[code])
})

test('a search shows what has all of its words, in code, cause or fix', async () => {
  const found = async (search: string) => {
    const { text } = await platform().request('GET', `/docs/errors?q=${encodeURIComponent(search)}`, { key: '' })
    return [...text.matchAll(/<section id="(\w+)">/g)].map(([, code]) => code)
  }
  expect(await found('')).toEqual(codes)
  expect(await found('TOKEN_EXP')).toEqual(['token_expired', 'session_token_expired'])
  expect(await found('429  concurrent')).toEqual(['concurrency_exceeded'])
  expect(await found('iso 4217')).toEqual(['currency_unsupported'])
  expect(await found('no such thing at all')).toEqual([])
})

test('what is searched for cannot become a part of the page', async () => {
  const attack = `"><script>alert(1)</script>`
  const { text } = await platform().request('GET', `/docs/errors?q=${encodeURIComponent(attack)}`, { key: '' })
  expect(text).not.toContain(attack)
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
})
