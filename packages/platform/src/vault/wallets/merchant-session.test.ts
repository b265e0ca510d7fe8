import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { askApple } from './merchant-session.ts'

const HOST = 'apple-pay-gateway.apple.com'
const address = `https://${HOST}/paymentservices/startSession`
const merchant = { merchantIdentifier: 'merchant.test', displayName: 'Fernhill', domain: 'shop.example' }

test('Apple sees the merchant by its certificate, and what it answers is passed on as it is', async () => {
  const { ask, asked } = await standInForApple((_, respond) => respond(200, '{"merchantSessionIdentifier":"SSH1"}'))
  expect(await ask()).toBe('{"merchantSessionIdentifier":"SSH1"}')
  const { domain: initiativeContext, ...others } = merchant
  expect(asked).toEqual([{ by: 'Merchant', body: { ...others, initiative: 'web', initiativeContext } }])
})

test.each([
  [400, '{"statusMessage":"not registered for domain"}', 'Apple answered 400: {"statusMessage"'],
  [302, '', 'Apple answered 302'],
  [200, '<html>', 'Apple answered 200: <html>'],
  [200, 'x'.repeat(70_000), 'more than a session has'],
])('an answer of %i that is no session is an error that says so', async (status, body, message) => {
  const { ask } = await standInForApple((_, respond) => respond(status, body))
  await expect(ask()).rejects.toThrow(message)
})

test('a host without the certificate of its name gets nothing', async () => {
  const { ask, asked } = await standInForApple((_, respond) => respond(200, '{}'), 'evil.example')
  await expect(ask()).rejects.toThrow()
  expect(asked).toEqual([])
})

type Answer = (body: string, respond: (status: number, body: string) => void) => void

/** A server in Apple's place that wants to see a certificate, by an authority of its own. */
async function standInForApple(answer: Answer, name = HOST) {
  const authority = await makeCertificate('Authority', { isAuthority: true })
  const server = await makeCertificate(name, { authority })
  const identity = await makeCertificate('Merchant', { authority })
  const asked: { by: unknown; body: unknown }[] = []
  const { certificate: cert, privateKey: key } = server
  const options = { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true }
  const https = createServer(options, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      // An HTTPS server's connections are TLS sockets.
      asked.push({ by: (request.socket as TLSSocket).getPeerCertificate().subject['CN'], body: JSON.parse(body) })
      const location = { Location: 'https://evil.example/' }
      answer(body, (status, text) => response.writeHead(status, status === 302 ? location : {}).end(text))
    })
  })
  https.listen(0, '127.0.0.1')
  await once(https, 'listening')
  onTestFinished(() => void https.close())
  const { port } = https.address() as AddressInfo // of a TCP server
  const way = { hostname: '127.0.0.1', port, ca: authority.certificate }
  return { asked, ask: () => askApple(address, { ...merchant, identity }, way) }
}

interface Made {
  certificate: string
  privateKey: string
}

async function makeCertificate(
  name: string,
  { authority, isAuthority = false }: { authority?: Made; isAuthority?: boolean },
): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const signer = authority === undefined ? [] : ['-CA', join(folder, 'ca.pem'), '-CAkey', join(folder, 'ca.key')]
  if (authority !== undefined) {
    await writeFile(join(folder, 'ca.pem'), authority.certificate)
    await writeFile(join(folder, 'ca.key'), authority.privateKey)
  }
  const usage = isAuthority ? 'basicConstraints=critical,CA:TRUE' : `subjectAltName=DNS:${name}`
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', certificate, '-days', '2', '-subj', `/CN=${name}`, '-addext', usage]
  await promisify(execFile)('openssl', [...made, ...files, ...signer])
  return { certificate: await readFile(certificate, 'utf8'), privateKey: await readFile(key, 'utf8') }
}
