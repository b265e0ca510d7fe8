import { expect, test } from 'vitest'
import { faultOf, readFault } from './fault.ts'

test.for(['local', 'development'] as const)('in %s a request may ask for a fault', (environment) => {
  expect(readFault('threeds=outage', environment)).toBe('threeds=outage')
  expect(readFault('threeds=timeout', environment)).toBe('threeds=timeout')
  expect(readFault(undefined, environment)).toBeNull()
})

test.for(['', 'outage', 'threeds', 'threeds=', 'threeds=Outage', 'threeds=outage, threeds=timeout', 'toString'])(
  'there is no fault "%s", and the error names those that there are',
  (header) => {
    expect(() => readFault(header, 'local')).toThrow(/processor=outage, .*threeds=outage, threeds=timeout/)
  },
)

test('in production nothing goes wrong on demand', () => {
  expect(readFault('threeds=outage', 'production')).toBeNull()
  expect(readFault('nonsense', 'production')).toBeNull()
})

test('a fault is felt by the one that it names alone', () => {
  expect(faultOf('threeds', 'threeds=outage')).toBe('threeds=outage')
  expect(faultOf('processor', 'threeds=outage')).toBeNull()
  expect(faultOf('processor', 'processor=late')).toBe('processor=late')
  expect(faultOf('network', 'network=retry_limit')).toBe('network=retry_limit')
  expect(faultOf('processor', null)).toBeNull()
})
