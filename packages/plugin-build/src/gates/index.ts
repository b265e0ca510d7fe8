export { checkGates, type GatedText } from './gates.ts'
export type { HiddenValue } from './secrets.ts'
