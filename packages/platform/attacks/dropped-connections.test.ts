import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** As many as a client needs to use up what a careless unit file grants. */
const DESCRIPTORS = 256
const CONNECTIONS = 400

const program = join(import.meta.dirname, '../src/main.ts')

interface Limited {
  lines: { msg: string; [field: string]: unknown }[]
  until(message: string): Promise<{ [field: string]: unknown }>
  metrics(): Promise<string>
}

/** A platform in a process of its own that may open few files. */
async function startLimited(): Promise<Limited> {
  const home = await mkdtemp(join(tmpdir(), 'platform-'))
  const env = {
    ...process.env,
    TILLWRIGHT_ENVIRONMENT: 'local',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_METRICS_PORT: '0',
  }
  const command = `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', command, process.execPath, program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (child.exitCode === null) {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    await rm(home, { recursive: true })
  })
  return limited(child)
}

function limited(child: ChildProcess): Limited {
  const lines: Limited['lines'] = []
  let rest = ''
  child.stdout?.on('data', (data) => {
    const parts = `${rest}${data}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((line) => JSON.parse(line)))
  })
  async function until(message: string): Promise<Limited['lines'][number]> {
    for (;;) {
      const found = lines.find(({ msg }) => msg.includes(message))
      if (found !== undefined) return found
      if (child.exitCode !== null || child.stdout === null) throw new Error('The platform has ended.')
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    }
  }
  const metrics = async () => (await fetch(String((await until('platform started'))['metricsUrl']))).text()
  return { lines, until, metrics }
}

/** Asks for a probe over a connection of its own, which stays open. */
function ask(port: number): Promise<{ socket: Socket; status: string }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data
      resolve({ socket, status: text.slice(9, 12) })
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ socket, status: text.slice(9, 12) || 'none' }))
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  })
}

test.skipIf(process.platform !== 'linux')(
  'a flood of connections is refused with an answer, counted and logged, and leaves room for what is open',
  async () => {
    const platform = await startLimited()
    const started = await platform.until('platform started')
    expect(await platform.until('few descriptors')).toMatchObject({ descriptors: DESCRIPTORS })

    const port = Number(started['port'])
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(port)))
    const count = (status: string) => answers.filter((answer) => answer.status === status).length
    expect(count('200')).toBe(DESCRIPTORS - 96)
    expect(count('503')).toBeGreaterThan(0)
    expect(count('200') + count('503') + count('none')).toBe(CONNECTIONS)
    expect(await platform.until('connections were refused')).toMatchObject({ limit: DESCRIPTORS - 96 })
    expect(platform.lines.filter(({ msg }) => msg.includes('connections were refused')).length).toBeLessThan(3)

    const metrics = await platform.metrics()
    const dropped = (answered: boolean) =>
      Number(metrics.match(new RegExp(`connections_dropped_total{[^}]*answered="${answered}"} (\\d+)`))?.[1])
    expect(dropped(true) + dropped(false)).toBe(CONNECTIONS - count('200'))

    for (const { socket } of answers) socket.destroy()
    await expect.poll(async () => (await ask(port)).status).toBe('200')
  },
)
