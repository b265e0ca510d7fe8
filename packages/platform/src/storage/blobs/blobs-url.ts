/** A bucket, or a part of one, in a store with an S3-compatible API. */
export interface S3Place {
  bucket: string
  /** Prefix of all object names, without a leading or trailing slash; empty for none. */
  prefix: string
  /** URL of the store; `undefined` for Amazon S3. */
  endpoint: string | undefined
  /** AWS region; `undefined` for the one configured for Amazon's tools. */
  region: string | undefined
}

/** Supported query parameters. */
const KNOWN: ReadonlySet<string> = new Set(['endpoint', 'region'])
/** Stores with their own endpoint require a region but ignore its value. */
const ANY_REGION = 'us-east-1'

/**
 * Parses `s3://bucket/prefix?endpoint=...&region=...`.
 *
 * @param isPlain Whether the endpoint may use `http:`, as on a developer's machine.
 * @returns A sentence saying what is wrong if the URL is invalid.
 */
export function readBlobsUrl(text: string, isPlain: boolean): S3Place | string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:' || url.hostname === '') return 'must be such as "s3://bucket/prefix?region=eu-west-1".'
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return 'names a bucket and a prefix alone; credentials go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.has(name))
  if (unknown !== undefined) return `knows endpoint and region behind the "?", not "${unknown}".`
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  const region = url.searchParams.get('region') ?? (endpoint === undefined ? undefined : ANY_REGION)
  if (endpoint !== undefined && !isEndpoint(endpoint, isPlain))
    return `endpoint must be an ${isPlain ? 'http:// or https://' : 'https://'} address, such as https://s3.example.com.`
  const prefix = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
  return { bucket: url.hostname, prefix, endpoint, region }
}

function isEndpoint(text: string, isPlain: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (isPlain && protocol === 'http:')
  return isSafe && username === '' && search === '' && hash === ''
}
