export { type Configuration, readConfiguration } from './configuration.ts'
