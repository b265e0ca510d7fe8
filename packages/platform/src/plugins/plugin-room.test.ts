import { hash } from 'node:crypto'
import { contract, pluginRooms } from '@tillwright/contract'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { deployBody, deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const room = pluginRooms.standard

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const write = (sql: string, ...params: (string | number)[]) => platform().services.db.write([{ sql, params }])
  const limits = async () => (await platform().call(contract.accounts.get, {})).limits
  const refusal = ({ status, error }: { status: number; error: { code: string; message: string } }) => [
    status,
    error.code,
    error.message,
  ]
  const put = (content: string, headers: Record<string, string> = {}) =>
    fetch(`${platform().apiUrl}/api/plugins/v1/assets/${hash('sha256', content)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${platform().local.apiKey}`, ...headers },
      body: content,
    })

  /** A file that leaves so many bytes of the account's room. */
  async function leaveBytes(bytes: number): Promise<void> {
    const { pluginBytes } = await limits()
    await write(
      `INSERT INTO plugin_assets (account_id, sha256, size, created_at) VALUES (?, 'large', ?, ?)`,
      platform().local.accountId,
      pluginBytes.max - pluginBytes.used - bytes,
      platform().clock.now(),
    )
  }
  afterEach(() => write(`DELETE FROM plugin_assets WHERE sha256 = 'large'`))

  test('the account says what it keeps of its plugins, and what its plan allows', async () => {
    const before = await limits()
    const { deploymentId } = await deployPlugin(platform(), {
      inlineAssets: [{ path: 'index.html', content: 'of a known size' }],
    })
    const after = await limits()
    expect(after.deployments).toEqual({ max: room.deployments, used: before.deployments.used + 1 })
    expect(after.pluginFiles).toEqual({ max: room.files, used: before.pluginFiles.used + 1 })
    expect(after.pluginBytes).toEqual({ max: room.bytes, used: before.pluginBytes.used + 'of a known size'.length })
    await write('UPDATE plugin_deployments SET removed_at = 1 WHERE id = ?', deploymentId ?? '')
    expect((await limits()).deployments.used).toBe(before.deployments.used)
  })

  test('a file for which there is no room is refused before it is stored, whichever way it comes', async () => {
    const stored = 'there before'
    expect((await put(stored)).status).toBe(200)
    await leaveBytes(20)
    const content = 'more than twenty bytes'
    const [sha256, size] = [hash('sha256', content), content.length]
    const said = expect.stringMatching(
      /22 are to be added, and its plan 'standard' allows 20000 with 2147483648; remove deployments/,
    )
    const assets = [{ sha256, size, content: Buffer.from(content).toString('base64') }]
    const uploaded = await platform().request('POST', contract.plugins.uploadAssets.path, { body: { assets } })
    expect(refusal(uploaded)).toEqual([409, 'state_conflict', said])
    const inline = deployBody(platform().local.storeId, { inlineAssets: [{ path: 'index.html', content }] })
    const named = { ...inline, inlineAssets: [{ path: 'index.html', sha256, size }] }
    for (const body of [inline, named, { ...named, dryRun: true }]) {
      expect(refusal(await platform().request('POST', contract.plugins.deploy.path, { body }))).toEqual([
        409,
        'state_conflict',
        said,
      ])
    }
    const streamed = await put(content)
    expect([streamed.status, await streamed.json()]).toMatchObject([409, { error: { code: 'state_conflict' } }])
    expect(await platform().services.db.read('SELECT * FROM plugin_blobs WHERE sha256 = ?', [sha256])).toEqual([])
    expect((await put('less than twenty')).status).toBe(200)
    expect((await put(stored)).status).toBe(200)
  })

  /** Copies of a deployment with its row alone, which go when the test ends. */
  async function copyDeployment(id: string | null, count: number, change: object): Promise<void> {
    const [row = {}] = await platform().services.db.read('SELECT * FROM plugin_deployments WHERE id = ?', [id ?? ''])
    const columns = Object.keys(row)
    const copies = Array.from({ length: count }, (_, n) => ({
      sql: `INSERT INTO plugin_deployments (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      params: Object.values({ ...row, id: `dep_copy_${n}`, host: `copy-${n}`, archived_at: 1, ...change }),
    }))
    await platform().services.db.write(copies)
    onTestFinished(async () => void (await write(`DELETE FROM plugin_deployments WHERE id LIKE 'dep_copy_%'`)))
  }

  const deploy = (change = {}) => {
    const body = deployBody(platform().local.storeId, { manifest: { version: '7.0.0' } })
    return platform().request('POST', contract.plugins.deploy.path, { body: { ...body, ...change } })
  }

  test('an account that keeps as many deployments as its plan allows removes one before it deploys the next', async () => {
    const { deploymentId } = await deployPlugin(platform())
    const { deployments } = await limits()
    await copyDeployment(deploymentId, deployments.max - deployments.used, {})
    const said = expect.stringMatching(
      /^The account keeps 500 deployments, as many as its plan 'standard' allows; remove/,
    )
    expect(refusal(await deploy())).toEqual([409, 'state_conflict', said])
    expect(refusal(await deploy({ dryRun: true }))).toEqual([409, 'state_conflict', said])
    await platform().call(contract.pluginManagement.remove, { params: { deploymentId: 'dep_copy_0' } })
    expect((await deploy()).status).toBe(201)
  })

  test('deploying and removing in turn keeps no more than a plan allows, because what can be restored takes its room', async () => {
    const { deploymentId } = await deployPlugin(platform())
    await copyDeployment(deploymentId, room.deployments, { removed_at: platform().clock.now() })
    const said = expect.stringMatching(/^The account has removed \d+ deployments within 24 hours, as many as its plan/)
    expect(refusal(await deploy({ dryRun: true }))).toEqual([409, 'state_conflict', said])
    await write(`UPDATE plugin_deployments SET swept_at = 1 WHERE id LIKE 'dep_copy_%'`)
    expect((await deploy({ dryRun: true })).status).toBe(200)
  })
})
