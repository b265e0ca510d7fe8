export { type Client, type ClientOptions, createClient, type InputOf, type KeyMethod } from './client.ts'
export type { CallOptions } from './request.ts'
export { TillwrightError, type TillwrightErrorCode } from './tillwright-error.ts'
export { eventProperties, verifyWebhook, type WebhookHeaders } from './webhook.ts'
