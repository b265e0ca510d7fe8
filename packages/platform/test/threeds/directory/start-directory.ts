import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type EmvMessage, requiredText } from '@tillwright/emv-3ds'
import type { SimulatedBank } from '../../../../bank-simulator/src/simulated-bank.ts'
import { openTestBank } from '../../../../bank-simulator/test/test-bank.ts'
import type { DirectorySettings } from '../../../src/threeds/directory/settings.ts'
import type { TestPlatform } from '../../test-platform.ts'
import { insertSession } from '../insert-session.ts'
import { selfSigned, type SelfSigned } from './self-signed.ts'

/** A directory server somewhere else, with the simulated issuers behind it. */
export interface Directory {
  bank: SimulatedBank
  /** The operator's settings for it. */
  settings: DirectorySettings
  /** How the proxy in front of a platform hands on the certificate that the directory shows there. */
  shown: { 'Client-Cert': string }
  /** The messages that have come in, oldest first. */
  received: EmvMessage[]
  /** Replaces the answers, until it is called again. */
  answerWith(answer: ((answer: string) => string | Promise<string>) | null): void
  stop(): Promise<void>
}

/**
 * Starts a directory server on loopback that accepts HTTPS clients with the certificate of the settings. The
 * bank behind it is another platform's, which knows nothing of the sessions asked about.
 *
 * @param sendResult Brings an RReq to the server that has asked, at the address that the AReq named.
 */
export async function startDirectory(
  behind: TestPlatform,
  sendResult: (rreq: string, url: string) => Promise<string>,
): Promise<Directory> {
  const [server, client] = [selfSigned('directory'), selfSigned('3DS server')]
  const folder = await mkdtemp(join(tmpdir(), 'directory-'))
  const files = await writeFiles(folder, { server, client })
  const resultUrls = new Map<string, string>()
  const bank = openTestBank(behind.services, (rreq) =>
    sendResult(rreq, resultUrls.get(JSON.parse(rreq).threeDSServerTransID) ?? ''),
  )
  const received: EmvMessage[] = []
  let answerWith: Parameters<Directory['answerWith']>[0] = null

  async function answerTo(sent: string): Promise<string> {
    const message: EmvMessage = JSON.parse(sent)
    received.push(message)
    if (message.messageType === 'PReq') return JSON.stringify(bank.answerPreq(sent))
    const transactionId = requiredText(message, 'threeDSServerTransID')
    if (!resultUrls.has(transactionId)) await insertSession(transactionId, behind)
    resultUrls.set(transactionId, requiredText(message, 'threeDSServerURL'))
    const last4 = requiredText(message, 'acctNumber').slice(-4)
    return bank.answerAreq({ areq: sent, brand: 'visa', last4 })
  }

  const https = createServer(
    { cert: server.certificate, key: server.key, ca: client.certificate, requestCert: true },
    async (request, response) => {
      const answer = await answerTo(await text(request))
      response.writeHead(200, { 'content-type': 'application/json' }).end((await answerWith?.(answer)) ?? answer)
    },
  ).listen(0, '127.0.0.1')
  await once(https, 'listening')
  const address = https.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    bank,
    received,
    shown: shownCertificate(server.certificate),
    settings: {
      serverReferenceNumber: '3DS_LOA_SER_TEST_020200_00001',
      serverOperatorId: 'operator 1',
      requestorId: null,
      url: null,
      networkUrls: { visa: `https://127.0.0.1:${port}/ds` },
      ...files,
    },
    answerWith: (answer) => (answerWith = answer),
    stop: async () => {
      await bank.stop()
      https.close()
      https.closeAllConnections()
      await rm(folder, { recursive: true })
    },
  }
}

/** Writes an operator's certificate files: the client's own, and those to trust. */
async function writeFiles(folder: string, { server, client }: { server: SelfSigned; client: SelfSigned }) {
  const files = {
    clientCertificate: join(folder, 'client.pem'),
    clientKey: join(folder, 'client.key'),
    authorities: join(folder, 'authorities.pem'),
    resultCertificates: join(folder, 'results.pem'),
  }
  await writeFile(files.clientCertificate, client.certificate)
  await writeFile(files.clientKey, client.key)
  await writeFile(files.authorities, server.certificate)
  await writeFile(files.resultCertificates, selfSigned('a former one').certificate + server.certificate)
  return files
}

/** A client's certificate as a proxy hands it on. Source: RFC 9440. */
export function shownCertificate(pem: string): { 'Client-Cert': string } {
  return { 'Client-Cert': `:${new X509Certificate(pem).raw.toString('base64')}:` }
}
