export { SchemaForm } from './schema-form.tsx'
export { isObject, isSameJson, type JsonObject, valueOf, withValue } from './json.ts'
export { appliedSchema, initialValue, kindOf, objectIn, type Schema, titleOf } from './schema.ts'
