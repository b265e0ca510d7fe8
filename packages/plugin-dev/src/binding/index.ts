export { type Binding, bindPlugin, isGatewayError, isUnreachable } from './binding.ts'
export type { DevPlatform, FindPlatform } from './platform.ts'
export { callSession, type Preview } from './preview.ts'
