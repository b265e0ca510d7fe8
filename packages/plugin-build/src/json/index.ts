export {
  atKey,
  atValue,
  type Complaint,
  type Finding,
  hasErrors,
  type JsonDocument,
  type JsonPath,
  jsonPointer,
  keyAt,
  listOf,
  nodeAt,
  objectOf,
  partOf,
  pathOfPointer,
  pathText,
  renameKey,
  replaceValue,
  shortened,
} from './document.ts'
export { type Kind, kindOf, readLinkedText, readText } from './folder.ts'
export { nearMiss } from './near-miss.ts'
export { readJson } from './parse.ts'
