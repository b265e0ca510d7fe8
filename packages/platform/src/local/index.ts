export { advanceLocalTime, localTime, type LocalTime } from './local-clock.ts'
export type { LocalFile } from './start-local.ts'
export { localKeys } from './master-key.ts'
export { type LocalPlatform, startLocal } from './start-local.ts'
