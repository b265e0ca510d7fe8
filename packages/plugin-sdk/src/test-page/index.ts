export { memorySurroundings, type MemorySurroundings, type MemorySurroundingsOptions } from './memory-surroundings.ts'
export { openTestPage, type TestPage, type TestPageOptions } from './open-test-page.ts'
export { testData } from './test-data.ts'
