import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { deployForTest } from '../scenarios/deploy-for-test.ts'
import { runCommand } from '../testing/run-command.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'

let local: RunningLocal
beforeAll(async () => {
  local = await startLocal()
  return local.stop
})

let plugins = 0

/** A plugin of one page, whose version and content can be set. */
async function newPlugin() {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-versions-'))
  const pluginId = `versions-${++plugins}`
  await mkdir(join(folder, 'src/pages'), { recursive: true })
  const set = async (version: string, content: string) => {
    const pages = [{ id: 'home', path: '/' }]
    await writeFile(join(folder, 'plugin.manifest.json'), JSON.stringify({ pluginId, name: 'Shop', version, pages }))
    await writeFile(join(folder, 'src/pages/home.js'), `document.body.append(${JSON.stringify(content)})\n`)
  }
  await set('1.0.0', 'first')
  return { folder, pluginId, set, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function run(...args: string[]) {
  const { code, out } = await runCommand([...args, '--json'], { TILLWRIGHT_HOME: local.home })
  return { code, answer: JSON.parse(out) }
}

/** Deploys as `tillwright test --built` does, without the browser. */
async function testBuilt(folder: string): Promise<void> {
  const { apiUrl, adminApiKey: apiKey, storeId } = local.file
  const write = process.stderr.write
  process.stderr.write = () => true
  try {
    await (await deployForTest(folder, { apiUrl, apiKey, storeId, environment: 'local' })).remove()
  } finally {
    process.stderr.write = write
  }
}

const versionsOf = async (pluginId: string): Promise<string[]> =>
  (await run('deployments', 'list', '--plugin', pluginId)).answer.map((each: { version: string }) => each.version)

test('a test of the built plugin uses up no version, and leaves nothing behind', async () => {
  const { folder, pluginId, set, remove } = await newPlugin()
  onTestFinished(remove)
  await testBuilt(folder)
  expect(await versionsOf(pluginId)).toEqual([])
  await set('1.0.0', 'second')
  expect((await run('plan', folder)).answer).toMatchObject({ refusal: null, plan: { version: '1.0.0', risks: [] } })
  expect(await run('publish', folder)).toMatchObject({ code: 0, answer: { plan: { version: '1.0.0' } } })
})

test('changed content of a deployed version becomes its next build, and the plan says so', async () => {
  const { folder, set, remove } = await newPlugin()
  onTestFinished(remove)
  await run('publish', folder)
  await set('1.0.0', 'second')
  const { out } = await runCommand(['plan', folder], { TILLWRIGHT_HOME: local.home })
  expect(out).toContain('1.0.0 is deployed with different content, so this becomes its build 1.0.0+2.')
  expect((await run('publish', folder)).answer.plan).toMatchObject({ version: '1.0.0+2', manifestVersion: '1.0.0' })
  await set('1.0.0', 'third')
  expect((await run('publish', folder)).answer.plan.version).toBe('1.0.0+3')
  expect((await run('publish', folder)).answer.plan).toMatchObject({ version: '1.0.0+3', isNothing: true })
  await set('1.0.0', 'first')
  expect((await run('publish', folder)).answer.plan.version).toBe('1.0.0')
})

test('a publish without changes says so, and not that files were uploaded', async () => {
  const { folder, remove } = await newPlugin()
  onTestFinished(remove)
  await run('publish', folder)
  const { out, err } = await runCommand(['publish', folder], { TILLWRIGHT_HOME: local.home })
  expect(err).toContain('There is nothing to do')
  expect(err).not.toContain('uploaded')
  expect(out).toMatch(/^Nothing has changed \(dep_/m)
})

/** An action of an author between two publishes. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), content: fc.constantFrom('a', 'b', 'c') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('bump' as const), version: fc.constantFrom('0.9.0', '1.0.0', '1.1.0') }),
  },
  fc.record({ do: fc.constantFrom('test' as const, 'deploy' as const, 'rollback' as const) }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      options: fc
        .subarray(['--yes', '--exact-version'], { minLength: 0 })
        .chain((chosen) => fc.constantFrom(chosen, ['--yes', '--overwrite'])),
    }),
  },
)

test('in every state, publish does what plan has said, or refuses in the same words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const { folder, pluginId, set, remove } = await newPlugin()
      let [version, content] = ['1.0.0', 'a']
      await set(version, content)
      for (const each of steps) {
        if (each.do === 'edit') content = each.content
        if (each.do === 'bump') version = each.version
        await set(version, content)
        if (each.do === 'test') await testBuilt(folder)
        if (each.do === 'deploy') await run('deploy', folder, '--no-activate', '--yes')
        if (each.do === 'rollback') await run('rollback', pluginId)
        if (each.do === 'publish') await comparePublish(folder, pluginId, each.options)
      }
      await remove()
    }),
    { numRuns: soaks ? 20 : 6 },
  )
}, 300_000)

async function comparePublish(folder: string, pluginId: string, options: readonly string[]): Promise<void> {
  const forPlan = options.filter((option) => option !== '--yes')
  const before = await run('plan', folder, ...forPlan)
  await testBuilt(folder) // which only spares uploads
  const planned = await run('plan', folder, ...forPlan)
  const { upload } = planned.answer.plan
  expect(planned).toEqual({ ...before, answer: { ...before.answer, plan: { ...before.answer.plan, upload } } })
  const published = await run('publish', folder, ...options)
  const { plan, refusal } = planned.answer
  if (refusal !== null) {
    expect(published).toMatchObject({ code: planned.code, answer: { error: { message: refusal.message } } })
    return
  }
  const isAsked = plan.risks.length > 0 && !plan.isNothing && !options.includes('--yes')
  if (isAsked) {
    expect(published.code).toBe(7)
    return
  }
  expect(published).toMatchObject({ code: 0, answer: { plan, published: { isActive: true } } })
  const [active] = (await run('deployments', 'list', '--plugin', pluginId)).answer.filter(
    ({ state }: { state: string }) => state === 'active',
  )
  expect(active).toMatchObject({ version: plan.version, id: published.answer.published.deploymentId })
  expect((await versionsOf(pluginId)).filter((each) => each.includes('trial'))).toEqual([])
}
