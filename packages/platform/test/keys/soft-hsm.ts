import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** SoftHSM's PKCS #11 module, where Debian's `softhsm2` has it. */
export const SOFTHSM = '/usr/lib/softhsm/libsofthsm2.so'
const PIN = '123456'

const require = createRequire(import.meta.url)
const bridge = dirname(require.resolve('pkcs11js'))
const addon = join(bridge, 'build/Release/pkcs11.node')

/**
 * Compiles pkcs11js's addon in its own folder, unless it is there. No version of Node and no download take part, as they do
 * with node-gyp: Node-API keeps its binary interface, and its headers are a package.
 *
 * @returns The missing program or library; `null` if SoftHSM can be used.
 */
export function softHsmLacks(): string | null {
  if (!existsSync(SOFTHSM)) return 'softhsm2'
  if (existsSync(addon)) return null
  if (spawnSync('c++', ['--version']).status !== 0) return 'a C++ compiler'
  mkdirSync(dirname(addon), { recursive: true })
  const includes = [join(bridge, 'includes'), join(dirname(require.resolve('node-api-headers')), 'include')]
  const sources = ['dl', 'common', 'main'].map((name) => join(bridge, 'src', `${name}.cpp`))
  const flags = ['-std=c++17', '-shared', '-fPIC', '-DNAPI_DISABLE_CPP_EXCEPTIONS', '-DNODE_GYP_MODULE_NAME=pkcs11']
  const unfinished = `${addon}.${process.pid}`
  execFileSync('c++', [...flags, ...includes.map((folder) => `-I${folder}`), ...sources, '-o', unfinished])
  renameSync(unfinished, addon) // another run may compile it at the same moment
  return null
}

/** Makes a token `shop` that holds an AES key `cards`, and a file of its PIN. */
export async function softHsmToken(folder: string): Promise<{ configFile: string; pinFile: string }> {
  const configFile = join(folder, 'softhsm2.conf')
  const tokens = join(folder, 'tokens')
  await mkdir(tokens)
  await writeFile(configFile, `directories.tokendir = ${tokens}\n`)
  const softHsm = (...options: string[]) =>
    execFileSync('softhsm2-util', options, { env: { ...process.env, SOFTHSM2_CONF: configFile } })
  softHsm('--init-token', '--free', '--label', 'shop', '--so-pin', PIN, '--pin', PIN)
  const aes = join(folder, 'aes.key')
  // Digits alone: of one random key in four softhsm2-util imports nothing, and the device then refuses to encrypt.
  await writeFile(aes, randomBytes(16).toString('hex'), { mode: 0o600 })
  softHsm('--import', aes, '--aes', '--token', 'shop', '--label', 'cards', '--id', '01', '--pin', PIN)
  const pinFile = join(folder, 'pin')
  await writeFile(pinFile, `${PIN}\n`, { mode: 0o600 })
  return { configFile, pinFile }
}
