import { mkdtemp, mkdir, readdir, rm, writeFile, readFile } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient, type Client } from '@tillwright/client'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { canMount, fullDisk } from '../testing/full-disk.ts'
import { runCommand } from '../testing/run-command.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'

let local: RunningLocal
let client: Client
beforeAll(async () => {
  local = await startLocal()
  client = createClient({ apiKey: local.file.apiKey, baseUrl: local.file.apiUrl })
  return local.stop
})

let plugins = 0

/** A plugin of two pages in its own folder, with a unique name. */
async function newPlugin(change: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-plugin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const pluginId = `shop-${++plugins}`
  const write = async (path: string, content: string | object) => {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  const manifest = {
    pluginId,
    name: 'Shop',
    version: '1.0.0',
    pages: [
      { id: 'home', path: '/' },
      { id: 'thanks', path: '/thanks' },
    ],
    configuration: {
      schema: { type: 'object', properties: { colour: { type: 'string' }, title: { type: 'string' } } },
      presets: { plain: { colour: 'red', title: 'Shop' } },
    },
    ...change,
  }
  await write('plugin.manifest.json', manifest)
  await write('src/pages/home.js', `document.body.append('home of ${pluginId}')\n`)
  await write('src/pages/thanks.js', `document.body.append('thanks of ${pluginId}')\n`)
  const setManifest = (more: object) => write('plugin.manifest.json', { ...manifest, ...more })
  return { folder, pluginId, write, setManifest }
}

/** Runs a command against the local platform. */
async function run(...args: string[]) {
  const { code, out, err } = await runCommand([...args, '--json'], { TILLWRIGHT_HOME: local.home })
  return { code, err, answer: JSON.parse(out) }
}

interface Visited {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Requests a page of the platform by its host name, as a browser would. */
function visit(url: string, path = '/', host = new URL(url).host): Promise<Visited> {
  const { port } = new URL(local.file.apiUrl)
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}

test('a plugin is published from its folder, changed, rolled back, and shown on a domain', async () => {
  const { folder, pluginId, write, setManifest } = await newPlugin()
  const first = await run('publish', folder)
  expect(first).toMatchObject({ code: 0, answer: { plan: { risks: [] }, published: { isActive: true } } })
  const { url } = first.answer.published
  expect(await visit(url)).toMatchObject({ status: 200, body: expect.stringContaining('"colour":"red"') })
  expect(await run('promote', pluginId, 'pay.shop.example')).toMatchObject({ code: 0 })
  expect((await run('domains')).answer).toContainEqual(
    expect.objectContaining({ hostname: 'pay.shop.example', pluginId, follows: 'active' }),
  )
  expect(await run('promote', pluginId, 'gone.shop.example', '--path', '/a')).toMatchObject({ code: 0 })
  expect((await run('domains', 'check', 'gone.shop.example')).answer).toMatchObject({ owner: 'you', ready: true })
  const gone = ['domains', 'remove', 'gone.shop.example', '--path', '/a']
  for (const more of [['--dry-run'], []]) {
    const removed = { code: 0, answer: { hostname: 'gone.shop.example', path: '/a', pluginId } }
    expect(await run(...gone, ...more)).toMatchObject(removed)
  }
  expect(await run(...gone, '--dry-run')).toMatchObject({ code: 1 })
  expect((await run('domains', 'list')).answer).toHaveLength(1)

  await write('src/pages/home.js', "document.body.append('home 2')\n")
  await setManifest({ version: '1.1.0' })
  const second = await run('publish', folder)
  // The module, its source map, and the document that refers to it by hash.
  expect(second.answer.published.uploaded.files).toBe(3)
  expect(second.answer.plan.files.same.files).toBeGreaterThan(0)
  const shown = async () => (await visit(url, '/', 'pay.shop.example')).body
  const isOf = (id: string) => expect.stringContaining(`"deploymentId":"${id}"`)
  expect(await shown()).toEqual(isOf(second.answer.published.deploymentId))
  expect(await run('rollback', pluginId)).toMatchObject({ code: 0, answer: { deployment: { version: '1.0.0' } } })
  expect(await shown()).toEqual(isOf(first.answer.published.deploymentId))
})

test('the command that undoes a publication is told whole, and works as it stands', async () => {
  const { folder, setManifest } = await newPlugin()
  await run('publish', folder)
  await setManifest({ version: '1.1.0' })
  const { out } = await runCommand(['publish', folder], { TILLWRIGHT_HOME: local.home })
  const [, words = ''] = /To undo this: "tillwright (.+)"/.exec(out) ?? []
  expect(await run(...words.split(' '))).toMatchObject({ code: 0, answer: { deployment: { version: '1.0.0' } } })
})

test('the policy that a build reports for a page is the one it is served with', async () => {
  const security = {
    connect: ['https://reviews.example'],
    image: ['https://a.example'],
    frame: ['https://maps.example'],
  }
  const { folder, write } = await newPlugin({ security })
  await write('src/pages/home.html', '<head><style>a {}</style><script>go()\r\n</script></head><div id="app"></div>')
  const { report } = (await run('build', folder, '--dry-run')).answer
  const { url } = (await run('publish', folder)).answer.published
  const { apiUrl, vaultUrl } = local.file
  for (const [index, path] of ['/', '/thanks'].entries()) {
    const policy = report.pages[index].csp.replaceAll('https://api.invalid', apiUrl)
    const { headers } = await visit(url, path)
    expect(headers['content-security-policy']).toBe(policy.replaceAll('https://vault.invalid', vaultUrl))
  }
})

test('publishing unchanged content does nothing and uploads no bytes', async () => {
  const { folder } = await newPlugin()
  await run('publish', folder)
  const again = await run('publish', folder)
  expect(again).toMatchObject({
    code: 0,
    answer: { plan: { isNothing: true }, published: { uploaded: { files: 0, bytes: 0 } } },
  })
  expect(again.err).toContain('nothing to do')
})

test('a dry run, a plan and a plan in a file change nothing', async () => {
  const { folder, pluginId } = await newPlugin()
  const file = join(folder, 'plan.json')
  for (const words of [
    ['publish', folder, '--dry-run'],
    ['plan', folder],
    ['deploy', folder, '--plan', file],
  ]) {
    expect(await run(...words)).toMatchObject({ code: 0, answer: { published: null } })
  }
  expect(await run('deployments', 'list', '--plugin', pluginId)).toMatchObject({ code: 0, answer: [] })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ v: 1, pluginId, upload: { files: 6 } })
})

test('a saved plan can be applied, and is refused once the plugin or the platform has changed', async () => {
  const { folder, write, setManifest } = await newPlugin()
  const file = join(folder, 'plan.json')
  await run('deploy', folder, '--plan', file)
  expect(await run('deploy', folder, '--apply', file)).toMatchObject({
    code: 0,
    answer: { published: { isActive: true } },
  })

  await setManifest({ version: '1.1.0' })
  await run('deploy', folder, '--plan', file)
  await write('src/pages/home.js', "document.body.append('changed')\n")
  expect(await run('deploy', folder, '--apply', file)).toMatchObject({
    code: 5,
    answer: { error: { code: 'changed' } },
  })

  await run('deploy', folder, '--plan', file)
  const other = await newPlugin()
  expect(await run('deploy', other.folder, '--apply', file)).toMatchObject({ code: 5 })
  await run('deploy', folder)
  await setManifest({ version: '1.2.0' })
  await run('deploy', folder)
  await setManifest({ version: '1.1.0' })
  expect(await run('deploy', folder, '--apply', file)).toMatchObject({ code: 5, answer: { error: { code: 'moved' } } })
})

test('an existing version is only replaced on request, and refused on another', async () => {
  const { folder, write } = await newPlugin()
  await run('publish', folder)
  await write('src/pages/home.js', "document.body.append('other')\n")
  for (const command of [['publish', '--yes'], ['plan']]) {
    expect(await run(...command, folder, '--exact-version')).toMatchObject({ code: 5 })
  }
  expect(await run('publish', folder, '--yes', '--overwrite')).toMatchObject({ code: 0 })
})

test('a version that another publishes at the same time, with different content, becomes the next build', async () => {
  const { folder, write } = await newPlugin()
  const file = join(folder, 'the.plan')
  await run('publish', folder, '--plan', file)
  const mine = await readFile(join(folder, 'src/pages/home.js'), 'utf8')
  await write('src/pages/home.js', "document.body.append('theirs')\n")
  await run('deploy', folder, '--no-activate')
  await write('src/pages/home.js', mine)
  const refused = await run('publish', folder, '--apply', file, '--yes')
  expect(refused).toMatchObject({ code: 5, answer: { error: { code: 'moved' } } })
  expect(refused.answer.error.message).toContain('publish again')
  expect(await run('publish', folder)).toMatchObject({ code: 0, answer: { plan: { version: '1.0.0+2' } } })
})

test('without a terminal, warnings require --yes', async () => {
  const { folder, setManifest } = await newPlugin()
  await run('publish', folder)
  await setManifest({ version: '0.9.0' })
  expect(await run('publish', folder)).toMatchObject({ code: 7, answer: { error: { code: 'unconfirmed' } } })
  expect(await run('publish', folder, '--yes')).toMatchObject({ code: 0 })
})

test('an inactive deployment is visible on its own host and under its alias only', async () => {
  const { folder, setManifest } = await newPlugin()
  const { answer } = await run('publish', folder)
  await setManifest({ version: '2.0.0' })
  const waiting = await run('publish', folder, '--no-activate', '--alias', `branch-${plugins}`)
  const { published } = waiting.answer
  expect(published).toMatchObject({ isActive: false })
  for (const url of [published.url, published.aliasUrl]) {
    expect((await visit(url)).body).toContain(`"deploymentId":"${published.deploymentId}"`)
  }
  const view = await run('deployments', 'view', answer.published.deploymentId)
  expect(view.answer.deployment.state).toBe('active')
  expect(await run('deployments', 'activate', published.deploymentId)).toMatchObject({
    code: 0,
    answer: { state: 'active' },
  })
})

test('the only version there is goes offline, and online again', async () => {
  const { folder } = await newPlugin()
  const { deploymentId, url } = (await run('publish', folder)).answer.published
  const offline = await run('deployments', 'take-offline', deploymentId)
  expect(offline).toMatchObject({ code: 0, answer: { state: 'active', offlineSince: expect.any(String) } })
  expect((await visit(url)).body).toContain('The shop has taken it offline.')
  const online = await run('deployments', 'bring-online', deploymentId)
  expect(online).toMatchObject({ code: 0, answer: { state: 'active', offlineSince: null } })
  expect((await visit(url)).body).toContain(`"deploymentId":"${deploymentId}"`)
})

test("a merchant's edits survive a publish, unless the author overrides them", async () => {
  const { folder, setManifest } = await newPlugin()
  const published = await run('publish', folder)
  const { deploymentId } = published.answer.published
  await client.pluginManagement.updateSettings({ deploymentId, presets: { plain: { colour: 'blue' } } })
  const configuration = (plain: object) => ({
    configuration: { presets: { plain } },
  })
  await setManifest({ version: '1.1.0', ...configuration({ colour: 'green', title: 'Better shop' }) })
  const plan = await run('plan', folder)
  expect(plan.answer.plan.settings).toMatchObject({ conflicts: ['/presets/plain/colour'] })
  expect(await run('publish', folder, '--yes', '--strict')).toMatchObject({
    code: 5,
    answer: { error: { code: 'conflict' } },
  })
  const merged = await run('publish', folder, '--yes')
  expect(merged.answer.published).toMatchObject({ conflicts: ['/presets/plain/colour'] })
  const live = async (id: string) => (await client.pluginManagement.settings({ deploymentId: id })).presets['plain']
  const id = merged.answer.published.deploymentId
  expect(await live(id)).toEqual({ colour: 'blue', title: 'Better shop' })
  expect((await run('diff', folder)).answer).toContainEqual({
    pointer: '/presets/plain/colour',
    before: 'blue',
    after: 'green',
  })
  const dryRun = await runCommand(['sync-config', folder, '--theirs', '--dry-run'], { TILLWRIGHT_HOME: local.home })
  expect(dryRun).toMatchObject({ code: 0, out: expect.stringContaining('Would change: plain (') })
  expect(await live(id)).toMatchObject({ colour: 'blue' })
  expect(await run('sync-config', folder, '--theirs')).toMatchObject({ code: 0, answer: { deploymentId: id } })
  expect(await live(id)).toMatchObject({ colour: 'green' })
})

test('settings are synced to a deployment of the plugin alone: one of another, and one that there is not, are refused', async () => {
  const [{ folder, pluginId }, other] = [await newPlugin(), await newPlugin()]
  const { answer } = await run('publish', other.folder, '--yes')
  const { deploymentId } = answer.published
  for (const command of ['sync-templates', 'sync-config', 'diff']) {
    const refused = await run(command, folder, '--deployment', deploymentId)
    expect(refused.answer.error.message).toContain(`${deploymentId} is one of ${other.pluginId}, not of ${pluginId}; "`)
    const unknown = await run(command, folder, '--deployment', `${deploymentId.slice(0, -4)}none`)
    expect(unknown.answer, command).toMatchObject({ error: { code: 'resource_missing' } })
    expect(await run(command, other.folder, '--deployment', deploymentId), command).toMatchObject({ code: 0 })
  }
})

test("a plugin's errors are reported line by line, with their own exit code, and nothing is uploaded", async () => {
  const { folder, pluginId, write } = await newPlugin()
  await write('src/pages/home.js', 'const = 1\n')
  const { code, err } = await run('publish', folder)
  expect(code).toBe(3)
  expect(err).toMatch(/^src\/pages\/home\.js:1:7 .* - /m)
  expect((await run('deployments', 'list', '--plugin', pluginId)).answer).toEqual([])
})

test('a full disk is named as the reason, with what to do', async () => {
  const { folder } = await newPlugin()
  const { code, err } = await run('deploy', folder, '--plan', '/dev/full')
  expect(code).toBe(1)
  expect(err).toContain('No room is left where this command writes (ENOSPC): make some, or name another place')
})

test.runIf(canMount)('a plan for which there is no room is not there, and the one before it still is', async () => {
  const { folder } = await newPlugin()
  const disk = await fullDisk({ 'before.json': '{}' })
  for (const name of ['plan.json', 'before.json']) {
    const { code, err } = await run('deploy', folder, '--plan', join(disk.folder, name))
    expect([code, err]).toEqual([1, expect.stringContaining('No room is left where this command writes (ENOSPC)')])
  }
  expect((await readdir(disk.folder)).toSorted()).toEqual(['ballast', 'before.json'])
  expect(await readFile(join(disk.folder, 'before.json'), 'utf8')).toBe('{}')
})
