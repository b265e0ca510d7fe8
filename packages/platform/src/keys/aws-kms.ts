import { asked, idOfName, installed, type KeyProvider } from './key-provider.ts'

/** Stands in a box's context, so that the key's policy can tell this use from others. */
const CONTEXT = 'tillwright-data-key'

/**
 * A master key in AWS KMS. It never leaves the service, which turns it over by itself if it is told to.
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
