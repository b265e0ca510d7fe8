export { type LocalAccount, makeReference } from './reference.ts'
