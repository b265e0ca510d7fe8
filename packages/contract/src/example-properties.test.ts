import { expect, test } from 'vitest'
import { exampleProperties } from './examples.ts'
import { type EventType, eventTypes } from './resources/event-types.ts'

const types = Object.keys(eventTypes) as EventType[] // the keys of the table are the types

test.for(types)('the example of %s has every property of its type, and no other', (type) => {
  const example = exampleProperties(type)
  expect(eventTypes[type].parse(example)).toEqual(example)
  expect(Object.keys(example)).toEqual(Object.keys(eventTypes[type].shape))
})
