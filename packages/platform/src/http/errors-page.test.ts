import { errorKinds } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { ApiError } from '../ambient/api-error.ts'
import { errorBody } from './error-body.ts'
import { errorsPage } from './errors-page.ts'

const codes = Object.keys(errorKinds) as (keyof typeof errorKinds)[] // the keys of the table are its codes

test.for(codes)('the address that %s names leads to its own place on the page', (code) => {
  const { docUrl } = errorBody(new ApiError(code, 'No.'), 'req_1', 'http://localhost/docs').error
  const { pathname, hash } = new URL(docUrl)
  expect(pathname).toBe('/docs/errors')
  expect(errorsPage.html.split(`id="${hash.slice(1)}"`)).toHaveLength(2)
})
