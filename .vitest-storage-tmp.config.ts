import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { globalSetup: ['.ci/postgres-setup.ts'], include: ['packages/platform/src/storage/**/*.test.ts'], testTimeout: 20000 } })
