import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelTls } from '../src/channel/tls.ts'

/** Whether this machine can make the certificates of a channel. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Makes an authority of a channel's own and one certificate from it, for localhost: the settings that name the files. */
export function channelFiles(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true })
  const at = (name: string) => join(folder, `channel-${name}.pem`)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=channel', '-keyout', 'ca-key.pem', '-out', at('ca'))
  writeFileSync(join(folder, 'san.txt'), 'subjectAltName=DNS:localhost,IP:127.0.0.1')
  openssl('req', ...key, '-subj', '/CN=process', '-keyout', at('key'), '-out', 'request.pem')
  const signing = ['-CA', at('ca'), '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', '2', '-extfile', 'san.txt']
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', at('cert'))
  return {
    TILLWRIGHT_CHANNEL_CA: at('ca'),
    TILLWRIGHT_CHANNEL_KEY: at('key'),
    TILLWRIGHT_CHANNEL_CERT: at('cert'),
  }
}

/** The same, read. */
export function channelTls(folder: string): ChannelTls {
  const files = channelFiles(folder)
  const read = (name: string) => readFileSync(files[name] ?? '', 'utf8')
  const [ca, key, cert] = ['TILLWRIGHT_CHANNEL_CA', 'TILLWRIGHT_CHANNEL_KEY', 'TILLWRIGHT_CHANNEL_CERT'].map(read)
  return { ca: ca ?? '', key: key ?? '', cert: cert ?? '' }
}
