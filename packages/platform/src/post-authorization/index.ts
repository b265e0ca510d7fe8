export { completePostAuthorization } from './outcome.ts'
export { postAuthorization } from './post-authorization.ts'
export { recoverPostAuthorizations, unsettledPostAuthorizations } from './recover.ts'
