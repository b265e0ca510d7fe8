import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../../test/threeds/directory/self-signed.ts'
import { manualClock } from '../../runtime/clock.ts'
import { directoryLink } from './link.ts'
import type { DirectorySettings } from './settings.ts'

const MINUTE_MS = 60_000

/** A server that answers with the name in the certificate that it is shown: its port. */
async function startServer({ certificate: cert, key }: { certificate: string; key: string }): Promise<number> {
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, ({ socket }, response) => {
    response.end((socket as TLSSocket).getPeerCertificate().subject.CN) // the socket of a request to an HTTPS server
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('a certificate that was replaced is shown within a minute, and never half of one', async () => {
  const own = selfSigned('directory')
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const settings: DirectorySettings = {
    serverReferenceNumber: '3DS_LOA_SER_TEST_020200_00001',
    serverOperatorId: null,
    requestorId: null,
    resultCertificates: null,
    url: `https://127.0.0.1:${await startServer(own)}/`,
    networkUrls: {},
    clientCertificate: join(folder, 'client.pem'),
    clientKey: join(folder, 'client.key'),
    authorities: join(folder, 'authorities.pem'),
  }
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  const [first, second] = [selfSigned('first'), selfSigned('second')]
  const clock = manualClock(0)
  const link = directoryLink(settings, { clock, log: pino({ enabled: false }) })
  const shown = async () => String(await link({ url: settings.url ?? '', text: '{}', answerMaxBytes: 100 }))

  await expect(shown()).rejects.toThrow('no such file')
  await write('authorities.pem', own.certificate)
  await write('client.pem', first.certificate)
  await write('client.key', first.key)
  expect(await shown()).toBe('first')

  await write('client.pem', second.certificate)
  clock.advance(MINUTE_MS)
  expect(await shown()).toBe('first') // the key is not there yet
  await write('client.key', second.key)
  expect(await shown()).toBe('first')
  clock.advance(MINUTE_MS)
  expect(await Promise.all([shown(), shown()])).toEqual(['second', 'second'])
})
