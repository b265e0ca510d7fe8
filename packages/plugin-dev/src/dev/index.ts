export { type DevOptions, type DevServer, startDev } from './server.ts'
export type { DevEvent } from './state.ts'
