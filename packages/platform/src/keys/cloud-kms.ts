import { asked, idOfName, installed, type KeyProvider } from './key-provider.ts'

/** Stands in a box's context, so that the key's policy can tell this use from others. */
const CONTEXT = 'tillwright-data-key'

/**
 * A master key in AWS KMS. It never leaves the service, which rotates it automatically if configured to.
 *
 * Region, credentials and endpoint are those of the AWS SDK: `AWS_REGION`, `AWS_ENDPOINT_URL_KMS` and so on.
 *
 * @param keyId The key's ARN, id or alias; of an ARN the region is taken too.
 * @throws {OperatorError} If `@aws-sdk/client-kms` is not installed.
 */
export async function awsKms(keyId: string): Promise<KeyProvider> {
  const { DecryptCommand, EncryptCommand, KMSClient } = await installed(
    '@aws-sdk/client-kms',
    () => import('@aws-sdk/client-kms'),
  )
  const region = /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1]
  const client = new KMSClient({ ...(region !== undefined && { region }), maxAttempts: 3 })
  const place = `AWS KMS ${keyId}`
  return {
    id: idOfName(`awskms:${keyId}`),
    place,
    wrap: (key, bound) =>
      asked(place, async (abortSignal) => {
        const command = new EncryptCommand({ KeyId: keyId, Plaintext: key, EncryptionContext: { [CONTEXT]: bound } })
        const { CiphertextBlob } = await client.send(command, { abortSignal })
        if (CiphertextBlob === undefined) throw new Error('the answer has no ciphertext')
        return Buffer.from(CiphertextBlob).toString('base64')
      }),
    unwrap: (wrapped, bound) =>
      asked(place, async (abortSignal) => {
        const CiphertextBlob = Buffer.from(wrapped, 'base64')
        const command = new DecryptCommand({ KeyId: keyId, CiphertextBlob, EncryptionContext: { [CONTEXT]: bound } })
        const { Plaintext } = await client.send(command, { abortSignal })
        if (Plaintext === undefined) throw new Error('the answer has no plaintext')
        return Plaintext
      }),
  }
}

/**
 * A master key in Google Cloud KMS, over its REST interface. It never leaves the service, which rotates it
 * automatically if configured to. Credentials are those of the Google libraries: `GOOGLE_APPLICATION_CREDENTIALS` and
 * so on.
 *
 * @param name `projects/PROJECT/locations/PLACE/keyRings/RING/cryptoKeys/KEY`.
 * @param options Of the client; tests name the address of their double.
 * @throws {OperatorError} If `@google-cloud/kms` is not installed.
 */
export async function googleKms(name: string, options: Readonly<Record<string, unknown>> = {}): Promise<KeyProvider> {
  const { KeyManagementServiceClient } = await installed('@google-cloud/kms', () => import('@google-cloud/kms'))
  const client = new KeyManagementServiceClient({ ...options, fallback: true })
  const place = `Google KMS ${name}`
  return {
    id: idOfName(`gcpkms:${name}`),
    place,
    wrap: (key, bound) =>
      asked(place, async () => {
        const additionalAuthenticatedData = Buffer.from(bound)
        const [{ ciphertext }] = await client.encrypt({ name, plaintext: key, additionalAuthenticatedData })
        return bytesOf(ciphertext).toString('base64')
      }),
    unwrap: (wrapped, bound) =>
      asked(place, async () => {
        const ciphertext = Buffer.from(wrapped, 'base64')
        const additionalAuthenticatedData = Buffer.from(bound)
        const [{ plaintext }] = await client.decrypt({ name, ciphertext, additionalAuthenticatedData })
        return bytesOf(plaintext)
      }),
  }
}

/** Bytes arrive as such, or over REST as base64. */
function bytesOf(value: Uint8Array | string | null | undefined): Buffer {
  if (value === null || value === undefined || value.length === 0) throw new Error('the answer is empty')
  return typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.from(value)
}
