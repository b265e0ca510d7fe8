import { errorKinds } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { errorsPage } from './docs.ts'
import { errorBody } from './error-body.ts'

const codes = Object.keys(errorKinds) as (keyof typeof errorKinds)[] // the keys of the table are its codes

test.for(codes)('the address that %s names leads to its own place on the page', (code) => {
  const { docUrl } = errorBody(new ApiError(code, 'No.'), 'req_1', 'http://localhost/docs').error
  const { pathname, hash } = new URL(docUrl)
  expect(pathname).toBe('/docs/errors')
  expect(errorsPage.html.split(`id="${hash.slice(1)}"`)).toHaveLength(2)
})
