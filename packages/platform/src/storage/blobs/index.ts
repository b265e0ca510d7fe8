export { type Blobs, BlobsUnavailable, type Received } from './blobs.ts'
export { readBlobsUrl, type S3Place } from './blobs-url.ts'
export { closedBlobs, openBlobs } from './open-blobs.ts'
export { fileBlobs } from './file-blobs.ts'
