import { defineConfig } from 'vitest/config'
export default defineConfig({ root: '/work/main', test: { globalSetup: ['.ci/postgres-setup.ts'], include: ['packages/platform/faults/**/*.test.ts'], testTimeout: 120000, pool: 'forks' } })
