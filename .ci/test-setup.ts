import { expect } from 'vitest'
import { beginFile } from './test-seed.ts'

// Runs before each test file.
beginFile(expect.getState().testPath ?? '')
