export { diskOf, startWatchingDisk } from './disk.ts'
export { lastRounds } from './rounds.ts'
export { type Overseen, platformState } from './platform-state.ts'
export { type OversightConfig, oversightSettings, oversightVariables } from './settings.ts'
