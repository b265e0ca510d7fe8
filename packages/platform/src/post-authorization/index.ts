export { settleFollowUp } from './outcome.ts'
export { postAuthorization } from './post-authorization.ts'
export { recoverFollowUps } from './recover.ts'
