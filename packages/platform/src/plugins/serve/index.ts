export { type PageKeys, pageKeys } from './page-keys.ts'
export type { PageRequest, PageServing } from './page-request.ts'
export { servePage } from './page.ts'
export { BytesMissing, type PageAnswer, statusPage } from './status-page.ts'
