export { failedRequests } from './failed-requests.ts'
export { type FailedRequestLog, forgetFailedRequests, startFailedRequests } from './failed-request-log.ts'
