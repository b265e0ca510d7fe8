import { expect, test } from 'vitest'
import { ApiError, missing, taken } from './errors.ts'

test('an error has the status of its code', () => {
  expect(new ApiError('card_declined', 'No.').status).toBe(402)
})

test('what is missing is a 404 that names the kind, the id and, where there is one, the parameter', () => {
  expect(missing('store', 'store_1', 'storeId')).toMatchObject({
    code: 'resource_missing',
    status: 404,
    details: { param: 'storeId' },
  })
  expect(missing('store', 'store_1').message).toBe("There is no store 'store_1' in this account.")
  expect(missing('store', 'store_1').details).toEqual({})
})

test('a taken id is a 409 of the parameter id', () => {
  expect(taken('product', 'tote')).toMatchObject({ code: 'resource_exists', status: 409, details: { param: 'id' } })
})
