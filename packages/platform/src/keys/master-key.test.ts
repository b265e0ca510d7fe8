import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { awsDouble, googleDouble } from '../../test/keys/kms-doubles.ts'
import { SOFTHSM, softHsmLacks, softHsmToken } from '../../test/keys/soft-hsm.ts'
import { awsKms, googleKms } from './cloud-kms.ts'
import type { KeyProvider } from './key-provider.ts'
import { heldKey, openMasterKey, readKeySetting } from './master-key.ts'
import { combineShares, splitKey, writeShares } from './shares.ts'

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555'
const GOOGLE_NAME = 'projects/shop/locations/europe/keyRings/tillwright/cryptoKeys/cards'
const hsmLacks = softHsmLacks()

const providers: [string, () => Promise<KeyProvider>][] = [
  ['the environment', async () => openMasterKey(readKeySetting(randomBytes(32).toString('base64')), 'KEY')],
  ['a file', async () => openMasterKey(readKeySetting(`file:${await keyFile()}`), 'KEY')],
  [
    'shares',
    async () => openMasterKey(readKeySetting(`shares:${(await shareFiles(randomBytes(32))).join(',')}`), 'KEY'),
  ],
  ['AWS KMS', async () => (await onAws()).provider],
  ['Google KMS', async () => (await onGoogle()).provider],
]
describe.each(providers)('a master key in %s', (_, open) => {
  test('unwraps what it has wrapped, as what it was wrapped, and nothing that was altered', async () => conforms(open))
})

test.skipIf(hsmLacks !== null)(
  `a master key in PKCS #11 does the same, and a token or key that the device lacks is named${hsmLacks === null ? '' : ` (needs ${hsmLacks})`}`,
  async () => {
    const uri = await softHsm()
    await conforms(() => opened(uri))
    const wrap = async (setting: string) => (await opened(setting)).wrap(randomBytes(32), 'cards/1')
    await expect(wrap(uri.replace('token=shop', 'token=store'))).rejects.toThrow('there is no token store')
    await expect(wrap(uri.replace('object=cards', 'object=secrets'))).rejects.toThrow('has no secret key secrets')
  },
)

async function opened(setting: string): Promise<KeyProvider> {
  return openMasterKey(readKeySetting(setting), 'KEY')
}

async function conforms(open: () => Promise<KeyProvider>): Promise<void> {
  const master = await open()
  const key = randomBytes(32)
  const wrapped = await master.wrap(key, 'cards/1')
  expect(Buffer.from(await master.unwrap(wrapped, 'cards/1'))).toEqual(key)
  expect(Buffer.from(wrapped, 'base64').includes(key)).toBe(false)
  expect(await master.wrap(key, 'cards/1')).not.toBe(wrapped)
  await expect(master.unwrap(wrapped, 'secrets/1')).rejects.toThrow()
  const altered = Buffer.from(wrapped, 'base64')
  altered.writeUInt8(altered.readUInt8(20) ^ 1, 20)
  await expect(master.unwrap(altered.toString('base64'), 'cards/1')).rejects.toThrow()
  expect(master.id).toMatch(/^[0-9a-f]{8}$/)
}

test('a cloud is asked for each wrapping and no more, and its absence is said with a limit of time', async () => {
  const { provider, double } = await onAws()
  const wrapped = await provider.wrap(randomBytes(32), 'cards/1')
  expect(double.asked).toEqual(['Encrypt'])
  double.goSilent()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const timeout = AbortSignal.timeout
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50))
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(provider.unwrap(wrapped, 'cards/1')).rejects.toThrow(
    new RegExp(`^AWS KMS ${ARN} did not do its part .*check that it can be reached`),
  )
})

test('a file of a key is refused that others can read, is missing, or holds no key', async () => {
  const path = await keyFile()
  const open = () => openMasterKey({ kind: 'file', path }, 'TILLWRIGHT_VAULT_KEY')
  chmodSync(path, 0o640)
  await expect(open()).rejects.toThrow(`TILLWRIGHT_VAULT_KEY: the file ${path} can be read by others (mode 0640)`)
  chmodSync(path, 0o600)
  await writeFile(path, 'c2hvcnQ=')
  await expect(open()).rejects.toThrow('must hold the base64 of 32 bytes')
  await writeFile(path, Buffer.alloc(32).toString('base64'))
  await expect(open()).rejects.toThrow('guessed')
  await rm(path)
  await expect(open()).rejects.toThrow('cannot be read (ENOENT)')
})

test.for([
  ['gcpkms:key', /projects\/PROJECT/],
  ['pkcs11:token=a', /token and a key/],
  ['shares:/one', /two files/],
  ['shares:/one,/one', /two files/],
  ['vault:x', /must be/],
  ['', /must be/],
] as const)('the setting %s is refused', ([setting, message]) => {
  expect(() => readKeySetting(setting)).toThrow(message)
})

test('a PIN is never in a setting', async () => {
  const setting = readKeySetting('pkcs11:token=a;object=b?module-path=/m&pin-value=1234')
  await expect(openMasterKey(setting, 'KEY')).rejects.toThrow(/^KEY: must not hold the PIN(?!.*1234)/)
})

test('all shares give the key, fewer say nothing of it, and a wrong one is named', async () => {
  const key = randomBytes(32)
  const [one = '', two = '', three = ''] = await shareFiles(key, 3)
  expect(await combineShares([three, one, two])).toEqual(key)
  expect((await stat(one)).mode & 0o777).toBe(0o600)
  await expect(combineShares([one, three])).rejects.toThrow('3 shares, and number 2 is missing')
  await expect(combineShares([one, two, two])).rejects.toThrow(`${two} is share 2 once more`)
  const other = await shareFiles(randomBytes(32), 3)
  await expect(combineShares([one, two, other[2] ?? ''])).rejects.toThrow('is a share of another key')
  const again = splitKey(key, 3)
  await writeFile(three, again[2] ?? '')
  await expect(combineShares([one, two, three])).rejects.toThrow('come from different splits')
  const text = await readFile(two, 'utf8')
  const at = text.lastIndexOf('=:') - 3
  await writeFile(two, text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1))
  await expect(combineShares([one, two, three])).rejects.toThrow(`${two} was copied wrongly`)
  await expect(writeShares(again, [one, two, three])).rejects.toThrow('EEXIST')
})

test('a key is known by the beginning of its SHA-256 alone', () => {
  expect(heldKey(Buffer.alloc(32, 1), 'x').id).toMatch(/^[0-9a-f]{8}$/)
  expect(heldKey(Buffer.alloc(32, 1), 'x').id).not.toBe(heldKey(Buffer.alloc(32, 2), 'x').id)
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'master-key-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function keyFile(): Promise<string> {
  const path = join(await newFolder(), 'master.key')
  await writeFile(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return path
}

async function shareFiles(key: Uint8Array, count = 2): Promise<string[]> {
  const folder = await newFolder()
  const paths = Array.from({ length: count }, (_, index) => join(folder, `share-${index}`))
  await writeShares(splitKey(key, count), paths)
  return paths
}

async function onAws() {
  const double = await awsDouble()
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', `http://127.0.0.1:${double.port}`)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  onTestFinished(() => void vi.unstubAllEnvs())
  return { double, provider: await awsKms(ARN) }
}

async function onGoogle() {
  const double = await googleDouble()
  const headers = new Headers({ authorization: 'Bearer test' })
  const authClient = {
    getRequestHeaders: async () => headers,
    request: async () => ({}),
    fetch: (url: string, init: RequestInit) => fetch(url, init),
  }
  const auth = {
    getClient: async () => authClient,
    getRequestHeaders: async () => headers,
    getUniverseDomain: async () => 'googleapis.com',
    getProjectId: async () => 'shop',
    fetch: (url: string, init: RequestInit) => fetch(url, init),
  }
  const options = { apiEndpoint: '127.0.0.1', port: double.port, protocol: 'http', auth }
  return { double, provider: await googleKms(GOOGLE_NAME, options) }
}

/** The setting of a key in a token of SoftHSM, which knows the first one alone: its module is initialized once in a process. */
async function softHsm(): Promise<string> {
  const { configFile, pinFile } = await softHsmToken(await newFolder())
  vi.stubEnv('SOFTHSM2_CONF', configFile)
  onTestFinished(() => void vi.unstubAllEnvs())
  return `pkcs11:token=shop;object=cards?module-path=${SOFTHSM}&pin-source=file:${pinFile}`
}
