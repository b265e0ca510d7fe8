export { type LocalAccount, makeReference, type Reference } from './reference.ts'
