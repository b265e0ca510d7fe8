import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SHOP_ORIGIN, type Answer, type Contender } from '../contender.ts'

const VAULT_ORIGIN = 'https://vault.tillwright.example'
const cli = join(import.meta.dirname, '../../../cli/src/main.ts')

/** Ours: the script tag and the card frame of a platform that runs. */
export async function tillwright(): Promise<Contender> {
  const platform = await startPlatform()
  return {
    name: 'Tillwright',
    version: 'this tree',
    markup: `<div id="card"></div><script src="${VAULT_ORIGIN}/v1/tillwright.js"></script><script>
      Tillwright.init({ publishableKey: '${platform.publishableKey}' })
        .then((checkout) => checkout.card().mount('#card'))</script>`,
    field: '#number',
    contents: 'Loader and card frame of a running platform, all three fields in one frame; its headers and checks too.',
    answer: ({ origin, pathname, search }) =>
      origin === VAULT_ORIGIN ? passOn(platform.vaultUrl, `${pathname}${search}`) : null,
    close: platform.stop,
  }
}

async function passOn(vaultUrl: string, path: string): Promise<Answer> {
  const response = await fetch(vaultUrl + path)
  // The bench itself compresses and counts the bytes of all contenders.
  const hops = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'])
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !hops.has(name)))
  const answer = { status: response.status, headers, body: await response.bytes() }
  // Behind the form's first script are the encryption and the marks of the networks.
  return path.startsWith('/v1/card?') ? { ...answer, worksFrom: '</script>' } : answer
}

interface RunningPlatform {
  vaultUrl: string
  publishableKey: string
  stop(): Promise<void>
}

async function startPlatform(): Promise<RunningPlatform> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-bench-'))
  const env = {
    ...process.env,
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    DATABASE_URL: '',
  }
  const child = spawn(process.execPath, [cli, 'start', '--shop', SHOP_ORIGIN], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const local = join(home, 'local.json')
  while (!existsSync(local)) {
    if (child.exitCode !== null) throw new Error(`The platform ended with ${child.exitCode}.`)
    await delay(20)
  }
  const { vaultUrl, publishableKey } = JSON.parse(await readFile(local, 'utf8'))
  return {
    vaultUrl,
    publishableKey,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(home, { recursive: true, force: true })
    },
  }
}
