export { failedRequests } from './failed-requests.ts'
export { type FailedRequestLog, type Failure, forgetFailedRequests, startFailedRequests } from './failed-request-log.ts'
