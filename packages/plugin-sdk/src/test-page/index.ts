export {
  memorySurroundings,
  type MemorySurroundings,
  type MemorySurroundingsOptions,
  openTestPage,
  testData,
  type TestPage,
  type TestPageOptions,
} from './test-page.ts'
