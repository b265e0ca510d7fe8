import { expect, test } from 'vitest'
import { exampleProperties } from './examples.ts'
import { type EventType, eventTypes } from './resources/event-types.ts'

const types = Object.keys(eventTypes) as EventType[] // the table's keys are the types

test.for(types)('the example of %s has exactly the properties of its type', (type) => {
  const example = exampleProperties(type)
  expect(eventTypes[type].parse(example)).toEqual(example)
  expect(Object.keys(example)).toEqual(Object.keys(eventTypes[type].shape))
})
