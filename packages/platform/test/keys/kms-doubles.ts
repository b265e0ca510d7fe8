import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A key service on loopback that speaks the wire protocol of a cloud's. */
export interface KmsDouble {
  port: number
  /** Operations of the requests so far, such as `Encrypt`. */
  asked: string[]
  /** Stops answering: requests wait until their client gives up. */
  goSilent: () => void
}

const key = randomBytes(32)

function seal(plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function open(sealed: Buffer, context: string): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  cipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-16))
  return Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()])
}

const bytes = (value: unknown): Buffer => Buffer.from(String(value), 'base64')

/** AWS JSON 1.1: `TrentService.Encrypt` and `TrentService.Decrypt`. */
export function awsDouble(): Promise<KmsDouble> {
  return serve(({ headers }, body) => {
    const operation = String(headers['x-amz-target']).replace('TrentService.', '')
    const context = JSON.stringify(body['EncryptionContext'])
    if (operation === 'Encrypt') {
      return { operation, answer: { CiphertextBlob: seal(bytes(body['Plaintext']), context).toString('base64') } }
    }
    return { operation, answer: { Plaintext: open(bytes(body['CiphertextBlob']), context).toString('base64') } }
  })
}

/** Cloud KMS over REST: `POST /v1/{name}:encrypt` and `:decrypt`. */
export function googleDouble(): Promise<KmsDouble> {
  return serve(({ url = '' }, body) => {
    const operation = /:(encrypt|decrypt)\b/.exec(url)?.[1] ?? ''
    const context = String(body['additionalAuthenticatedData'])
    if (operation === 'encrypt') {
      return { operation, answer: { ciphertext: seal(bytes(body['plaintext']), context).toString('base64') } }
    }
    return { operation, answer: { plaintext: open(bytes(body['ciphertext']), context).toString('base64') } }
  })
}

type Answering = (
  request: IncomingMessage,
  body: Readonly<Record<string, unknown>>,
) => { operation: string; answer: object }

async function serve(answering: Answering): Promise<KmsDouble> {
  const asked: string[] = []
  let isSilent = false
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    if (isSilent) return
    try {
      const { operation, answer } = answering(request, body)
      asked.push(operation)
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer))
    } catch {
      response.statusCode = 400
      response.end(
        JSON.stringify({ __type: 'InvalidCiphertextException', error: { code: 400, status: 'INVALID_ARGUMENT' } }),
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { port, asked, goSilent: () => (isSilent = true) }
}
