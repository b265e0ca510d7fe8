import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../packages/platform/src/config.ts'
import cli from '../packages/cli/package.json' with { type: 'json' }
import { renderChart } from './helm/render.ts'

const here = import.meta.dirname
const chart = join(here, 'helm/tillwright')
const roles = ['api', 'plugins', 'vault', 'worker']
const schemas = { Deployment, HorizontalPodAutoscaler, Job, NetworkPolicy, PodDisruptionBudget, Service }

// Manifests are read as what Kubernetes would get: plain data, of which the schemas say the shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Manifest = any

let values: Record<string, unknown>
let channel: string
beforeAll(async () => {
  values = parse(await readFile(join(here, 'helm/example-values.yaml'), 'utf8'))
  channel = await mkdtemp(join(tmpdir(), 'channel-'))
  for (const file of ['tls.crt', 'tls.key', 'ca.crt']) await writeFile(join(channel, file), '-----BEGIN TEST-----\n')
  return () => rm(channel, { recursive: true })
})

async function manifests(changes: Record<string, unknown> = {}): Promise<Manifest[]> {
  const files = await renderChart(chart, { name: 'shop', namespace: 'pay', values: { ...values, ...changes } })
  return [...files.values()]
    .flatMap((text) =>
      parseAllDocuments(text).map((document) => {
        expect(document.errors).toEqual([])
        return document.toJS()
      }),
    )
    .filter((manifest) => manifest !== null)
}

async function named(kind: string, name: string, changes?: Record<string, unknown>): Promise<Manifest> {
  return (await manifests(changes)).find((each) => each.kind === kind && each.metadata.name === name)
}

const secrets = {
  TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
  TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  DATABASE_URL: 'postgres://tillwright:password@db.example.internal:5432/tillwright',
}

/** The settings that a container of the chart starts with. */
function settingsOf({ env }: Manifest): Record<string, string> {
  const { TILLWRIGHT_VAULT_KEY: key, ...shared } = secrets
  const own = env.map(({ name, value, valueFrom }: Manifest) => [name, valueFrom === undefined ? value : key])
  return onThisMachine({ ...shared, ...Object.fromEntries(own) })
}

function onThisMachine(env: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, String(value).replace('/etc/tillwright/channel', channel)]),
  )
}

test('every manifest of the chart is valid for Kubernetes', async () => {
  for (const changes of [
    {},
    {
      autoscaling: { enabled: false },
      networkPolicy: { enabled: false },
      migrations: { enabled: false },
      metrics: { enabled: true, port: 9_464, serviceMonitor: true },
    },
  ]) {
    const all = await manifests(changes)
    expect(all.length).toBeGreaterThanOrEqual(12)
    for (const manifest of all) {
      if (manifest.kind === 'ServiceMonitor') continue // of the Prometheus operator
      const Model = schemas[manifest.kind as keyof typeof schemas] // an unknown kind fails in the next line
      expect(() => new Model(manifest).validate()).not.toThrow()
    }
  }
  const wrong = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 'two' } } as Manifest
  expect(() => new Deployment(wrong).validate()).toThrow('replicas')
})

test('each role has its processes, probes and disruption budget, and time to drain', async () => {
  for (const role of roles) {
    const { spec } = await named('Deployment', `shop-${role}`, { drainSeconds: 25 })
    const pod = spec.template.spec
    const [container] = pod.containers
    expect(pod.terminationGracePeriodSeconds).toBe(55)
    expect(container).toMatchObject({
      image: `registry.example.com/tillwright:${cli.version}`,
      args: ['serve'],
      startupProbe: { httpGet: { path: '/startupz', port: 'http' } },
      livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
    })
    expect(container.ports[0]).toEqual({ name: 'http', containerPort: role === 'vault' ? 4_401 : 4_400 })
    const budget = await named('PodDisruptionBudget', `shop-${role}`)
    expect(budget.spec.selector.matchLabels).toEqual(spec.selector.matchLabels)
    const scaler = await named('HorizontalPodAutoscaler', `shop-${role}`)
    expect([scaler.spec.minReplicas >= 2, scaler.spec.scaleTargetRef.name]).toEqual([true, `shop-${role}`])
  }
})

test('every process is scraped as the job that the alert rules ask for', async () => {
  const all = await manifests({ metrics: { enabled: true, port: 9_464, serviceMonitor: true } })
  const [, job] = /up\{job="([^"]+)"\}/.exec(await readFile(join(here, 'prometheus/alerts.yml'), 'utf8')) ?? []
  const { spec } = all.find(({ kind }) => kind === 'ServiceMonitor')
  const services = all.filter(({ kind }) => kind === 'Service')
  expect(services.map(({ metadata }) => metadata.labels[spec.jobLabel])).toEqual(roles.map(() => job))
})

test('every pod keeps to the restricted profile, with a root that cannot be written', async () => {
  const pods = (await manifests()).filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  expect(pods.length).toBe(roles.length + 1)
  for (const { spec } of pods) {
    const pod = spec.template.spec
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
})

test('every role reaches what the operator allows besides, and the vault may have nodes of its own', async () => {
  const collector = {
    to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traces' } } }],
    ports: [{ protocol: 'TCP', port: 4_318 }],
  }
  const taint = { key: 'pci', operator: 'Exists', effect: 'NoSchedule' }
  const changes = {
    networkPolicy: { ...(values['networkPolicy'] as object), egress: [collector] },
    roles: { vault: { nodeSelector: { pci: 'yes' }, tolerations: [taint] } },
  }
  for (const role of roles) {
    const policy = await named('NetworkPolicy', `shop-${role}`, changes)
    expect(() => new NetworkPolicy(policy).validate()).not.toThrow()
    expect(policy.spec.egress.at(-1)).toEqual(collector)
    const { nodeSelector, tolerations } = (await named('Deployment', `shop-${role}`, changes)).spec.template.spec
    const own = role === 'vault' ? [{ pci: 'yes' }, [taint]] : [undefined, undefined]
    expect([nodeSelector, tolerations]).toEqual(own)
  }
})

test('the card key is in the vault alone, and only the roles that charge cards reach its channel', async () => {
  for (const role of roles) {
    const { spec } = await named('Deployment', `shop-${role}`)
    const text = JSON.stringify(spec.template)
    expect([role, text.includes('TILLWRIGHT_VAULT_KEY'), text.includes('tillwright-vault"')]).toEqual([
      role,
      role === 'vault',
      role === 'vault',
    ])
  }
  expect(JSON.stringify(await named('Job', 'shop-migrate'))).not.toContain('TILLWRIGHT_VAULT_KEY')
  const policy = await named('NetworkPolicy', 'shop-vault')
  const onChannel = policy.spec.ingress.filter(({ ports }: Manifest) =>
    ports.some(({ port }: Manifest) => port === 'channel'),
  )
  expect(onChannel).toHaveLength(1)
  expect(onChannel[0].from).toEqual([
    {
      podSelector: {
        matchExpressions: [
          { key: 'app.kubernetes.io/instance', operator: 'In', values: ['shop'] },
          { key: 'app.kubernetes.io/component', operator: 'In', values: ['api', 'worker'] },
        ],
      },
    },
  ])
  expect((await named('NetworkPolicy', 'shop-worker')).spec.ingress.flatMap(({ ports }: Manifest) => ports)).toEqual([
    { protocol: 'TCP', port: 'metrics' },
  ])
})

test('the platform accepts the settings that the chart gives to each role', async () => {
  const pods = (await manifests()).filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  for (const { spec } of pods) {
    const [container] = spec.template.spec.containers
    expect(readConfig(settingsOf(container))).toMatchObject({ environment: 'production', drainMs: 10_000 })
  }
})

test('the chart names the value that is missing', async () => {
  await expect(manifests({ trustedProxies: '' })).rejects.toThrow('trustedProxies: where the proxies connect from')
  await expect(manifests({ image: {} })).rejects.toThrow('image.repository')
  const { spec } = await named('Deployment', 'shop-api', {
    image: { repository: 'r', digest: `sha256:${'0'.repeat(64)}` },
  })
  expect(spec.template.spec.containers[0].image).toBe(`r@sha256:${'0'.repeat(64)}`)
})

test('the platform accepts the settings of compose.yaml, and the vault alone has the card key', async () => {
  const text = await readFile(join(here, 'compose.yaml'), 'utf8')
  const given: Record<string, string> = {
    ...secrets,
    TILLWRIGHT_IMAGE: 'registry.example.com/tillwright:1.0.0',
    API_HOST: 'api.example.com',
    VAULT_HOST: 'vault.example.com',
    PLUGINS_HOST: 'plugins.example-pages.com',
    POSTGRES_PASSWORD: 'password',
  }
  const { services } = parse(
    text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => given[name] ?? `(${name})`),
    { merge: true },
  )
  const ours = Object.entries<Manifest>(services).filter(([name]) => [...roles, 'migrate'].includes(name))
  expect(ours).toHaveLength(5)
  for (const [name, service] of ours) {
    const host = { TILLWRIGHT_HOST: '0.0.0.0', TILLWRIGHT_HOME: '/var/lib/tillwright' } // of the image
    expect(readConfig(onThisMachine({ ...host, ...service.environment }))).toMatchObject({
      environment: 'production',
    })
    expect([name, 'TILLWRIGHT_VAULT_KEY' in service.environment]).toEqual([name, name === 'vault'])
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service.ports).toBeUndefined()
  }
  expect(Object.keys(services).filter((name) => services[name].ports !== undefined)).toEqual(['proxy'])
})

test('the platform accepts the example of systemd, once the keys are there', async () => {
  const text = await readFile(join(here, 'systemd/common.env.example'), 'utf8')
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line))
  const env = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(() => readConfig(env)).toThrow('TILLWRIGHT_SECRETS_KEY')
  expect(readConfig({ ...env, ...secrets, TILLWRIGHT_ROLE: 'all' })).toMatchObject({
    environment: 'production',
    host: '127.0.0.1',
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('the systemd unit is valid and closed (needs systemd-analyze)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'systemd-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const unit = join(folder, 'tillwright@.service')
  await cp(join(here, 'systemd/tillwright@.service'), unit)
  const verified = spawnSync('systemd-analyze', ['verify', join(here, 'systemd/tillwright@.service')], {
    encoding: 'utf8',
  })
  expect(
    verified.stderr.split('\n').filter((line) => line.includes('tillwright') && !line.includes('is not executable')),
  ).toEqual([])
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
  const [, exposure = '10'] = /exposure level for \S+: ([\d.]+)/.exec(judged.stdout) ?? []
  expect(Number(exposure)).toBeLessThan(2)
})
