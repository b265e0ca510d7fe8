export * from './hooks.ts'
