import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accepts } from '../../../../.ci/free-port.ts'
import type { Over } from '../place.ts'

/** Debian's HAProxy in front of several platforms. */
export interface Balancer {
  apiUrl: string
  vaultUrl: string
  /** Ends it at once, with the connections that it holds, and starts it again. */
  restart(): Promise<void>
}

/** The ports of one platform behind it. */
export interface Backend {
  port: number
  vaultPort: number
}

/** Whether it is installed here; named where it is not. */
export const hasBalancer = spawnSync('haproxy', ['-v']).status === 0

/** Starts one on loopback that asks each platform's `/readyz`. */
export async function startBalancer(
  ports: Backend,
  backends: readonly Backend[],
  { folder, over }: { folder: string; over: Over },
): Promise<Balancer> {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(ports, backends))
  let running = await start(file, ports)
  over(() => void running.kill('SIGKILL'))
  return {
    apiUrl: `http://localhost:${ports.port}`,
    vaultUrl: `http://localhost:${ports.vaultPort}`,
    async restart() {
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
      running = await start(file, ports)
    },
  }
}

/**
 * A request whose connection fails goes to another platform. One that was sent is sent again when the connection ends
 * without an answer, and only if it reads or has an `Idempotency-Key`: then repeating it is safe. The balancer answers
 * 504 before a client waits ten seconds.
 */
export function configuration(ports: Backend, backends: readonly Backend[]): string {
  const servers = (name: string, portOf: (backend: Backend) => number) =>
    backends.map((backend, index) => `  server ${name}${index + 1} 127.0.0.1:${portOf(backend)} check`)
  const backend = (name: string, portOf: (backend: Backend) => number) => [
    `backend ${name}`,
    '  balance roundrobin',
    '  option httpchk',
    '  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost',
    '  http-check expect status 200',
    '  http-request disable-l7-retry if METH_POST !{ req.hdr(Idempotency-Key) -m found }',
    '  default-server inter 250ms fastinter 100ms downinter 250ms fall 2 rise 1',
    ...servers(name, portOf),
  ]
  const frontend = (name: string, port: number) => [
    `frontend ${name}_in`,
    `  bind 127.0.0.1:${port}`,
    `  default_backend ${name}`,
  ]
  return [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode http',
    '  timeout connect 1s',
    '  timeout client 60s',
    '  timeout server 9s',
    '  timeout queue 2s',
    '  timeout check 2s',
    '  timeout http-request 10s',
    '  retries 3',
    '  option redispatch 1',
    '  retry-on conn-failure empty-response',
    ...frontend('api', ports.port),
    ...frontend('vault', ports.vaultPort),
    ...backend('api', ({ port }) => port),
    ...backend('vault', ({ vaultPort }) => vaultPort),
    '',
  ].join('\n')
}

const START_MS = 10_000

async function start(file: string, { port }: Backend): Promise<ChildProcess> {
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (said = (said + text).slice(-4_000)))
  const deadline = performance.now() + START_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`haproxy did not start:\n${said}`)
    await delay(20)
  }
  return child
}
