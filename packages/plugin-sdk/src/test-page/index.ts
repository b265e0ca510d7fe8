export {
  memoryEnvironment,
  type MemoryEnvironment,
  type MemoryEnvironmentOptions,
  openTestPage,
  testData,
  type TestPage,
  type TestPageOptions,
} from './test-page.ts'
