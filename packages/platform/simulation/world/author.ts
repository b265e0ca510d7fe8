import type { Dice } from '../machine/dice.ts'
import type { Call } from './client.ts'
import { insist, type Person, read, TOGETHER_MS, type Town } from './people.ts'
import type { Answer } from './platforms.ts'
import {
  type Bundle,
  type BundleFile,
  bundleOf,
  DEPLOY_PATH,
  deploymentOf,
  filesOf,
  PLUGIN_ID,
  type WrittenSetting,
} from './plugin.ts'

/** One of several authors who deploy versions of the same plugin, often at the same moment, and change its settings. */
export const author: Person = async (name, town) => {
  const { world, network } = town
  const dice = world.dice.fork(name)
  const desk = deskOf(name, town, dice)
  // Authors act in the same moments, as if prompted by the same message.
  const together = () => network.pause(TOGETHER_MS - (world.scheduler.nowMs % TOGETHER_MS))
  const times = 2 + dice.below(4)
  for (let n = 1; n <= times; n++) {
    await together()
    const isShared = dice.chance(0.4)
    const isAgain = n > 1 && dice.chance(0.2)
    const build = isAgain ? 1 + dice.below(n - 1) : n
    const bundle = bundleOf(isShared ? `2.${build}.0` : `1.${build}.0-${name}`, name)
    if (dice.chance(0.15)) {
      // The author has changed their mind.
      await upload(`${name}-${n}-dropped`, filesOf(bundleOf('0.0.1', `${name} ${n}`)), desk)
      continue
    }
    const deploymentId = await deploy(`${name}-${n}`, bundle, desk)
    const edits = 1 + dice.below(3)
    for (let edit = 1; edit <= edits; edit++) {
      const target = dice.chance(0.5) ? deploymentId : await activeOf(desk)
      if (dice.chance(0.5)) await together()
      if (target !== null) await change(10 * n + edit, target, desk)
    }
    if (dice.chance(0.5)) await together()
    if (deploymentId !== null && dice.chance(0.6)) await switchTo(`${name}-${n}`, deploymentId, desk)
    else if (dice.chance(0.3)) await rollBack(`${name}-${n}`, desk)
  }
}

/** The environment of an author. */
interface Desk {
  name: string
  town: Town
  dice: Dice
  /** Repeats a request until it is answered, and notes answers that must not happen. */
  ask(call: Omit<Call, 'who' | 'apiKey'>): Promise<Answer | null>
}

function deskOf(name: string, town: Town, dice: Dice): Desk {
  const { shop, memory } = town
  return {
    name,
    town,
    dice,
    async ask(call) {
      const answer = await insist({ who: name, apiKey: shop.adminKey, ...call }, town, dice)
      const isWell = answer === null || answer.status < 300 || answer.status === 409
      if (!isWell) memory.plugin.refused.push(`${call.method} ${call.path} of ${name}: ${answer.status} ${answer.text}`)
      return answer
    },
  }
}

/** Deploys as `tillwright deploy` does: first the files, then the deployment that names them; or both at once. */
async function deploy(key: string, bundle: Bundle, desk: Desk): Promise<string | null> {
  const { town, dice } = desk
  const { plugin } = town.memory
  plugin.sent.push(bundle)
  const sentMs = town.world.scheduler.nowMs
  const named = dice.chance(0.5)
  const activate = dice.chance(0.5)
  const overwrite = dice.chance(0.5)
  if (named) await upload(`${key}-files`, filesOf(bundle), desk)
  for (let tries = 1; tries <= 5; tries++) {
    const { storeId } = town.shop
    const body = deploymentOf(bundle, { storeId, named, activate, overwrite })
    const answer = await desk.ask({ method: 'POST', path: DEPLOY_PATH, body, idempotencyKey: `${key}-deploy-${tries}` })
    const { deploymentId, missing, deployment } = Object(read(answer))
    if (typeof deploymentId === 'string') {
      const isActive: unknown = deployment?.active
      if (activate && isActive !== true) plugin.refused.push(`${deploymentId} was to be active at once, and is not`)
      if (isActive === true) plugin.activated.push({ deploymentId, atMs: town.world.scheduler.nowMs })
      const former = plugin.deployed.get(deploymentId)
      plugin.deployed.set(deploymentId, former ?? { bundle, sentMs, isActivated: activate })
      return deploymentId
    }
    if (!Array.isArray(missing)) return null // another author has deployed this version
    const isMissing = ({ sha256 }: BundleFile) => missing.includes(sha256)
    await upload(`${key}-again-${tries}`, filesOf(bundle).filter(isMissing), desk)
  }
  return null
}

/** Uploads files: all in one request, or each as plain bytes, several at a time. */
async function upload(key: string, files: readonly BundleFile[], { ask, dice }: Desk): Promise<void> {
  if (dice.chance(0.5)) {
    const assets = files.map(({ sha256, size, content }) => ({
      sha256,
      size,
      content: Buffer.from(content).toString('base64'),
    }))
    await ask({ method: 'POST', path: '/api/plugins/v1/assets', body: { assets }, idempotencyKey: key })
  } else {
    const send = ({ sha256, content }: BundleFile) =>
      ask({ method: 'PUT', path: `/api/plugins/v1/assets/${sha256}`, file: content })
    await Promise.all(files.map(send))
  }
}

/** Activates a deployment. */
async function switchTo(key: string, deploymentId: string, { ask, town }: Desk): Promise<void> {
  const path = `/api/plugins/v1/deployments/${deploymentId}/activate`
  const answer = await ask({ method: 'POST', path, idempotencyKey: `${key}-activate` })
  const atMs = town.world.scheduler.nowMs
  if (answer?.status === 200) town.memory.plugin.activated.push({ deploymentId, atMs })
}

async function rollBack(key: string, { ask, town }: Desk): Promise<void> {
  const answer = await ask({
    method: 'POST',
    path: '/api/plugins/v1/rollback',
    body: { pluginId: PLUGIN_ID, storeId: town.shop.storeId },
    idempotencyKey: `${key}-rollback`,
  })
  const { deployment } = Object(read(answer))
  const atMs = town.world.scheduler.nowMs
  if (answer?.status === 200) town.memory.plugin.activated.push({ deploymentId: String(deployment?.id), atMs })
}

/** The active deployment. */
async function activeOf({ ask, town }: Desk): Promise<string | null> {
  const path = `/api/plugins/v1/plugins?storeId=${town.shop.storeId}&pluginId=${PLUGIN_ID}`
  const { data } = Object(read(await ask({ method: 'GET', path })))
  const id: unknown = data?.[0]?.active?.id
  return typeof id === 'string' ? id : null
}

/** Changes a setting: as the author of one's own preset or template, or as the merchant in any. */
async function change(value: number, deploymentId: string, { name, ask, town, dice }: Desk): Promise<void> {
  const written = dice.pick<Pick<WrittenSetting, 'kind' | 'setting' | 'name'>>([
    { kind: 'preset', setting: name, name: 'count' },
    { kind: 'template', setting: name, name: 'count' },
    { kind: 'preset', setting: dice.pick(['shared', 'author-1']), name: `edited by ${name}` },
  ])
  const values = { [written.setting]: { [written.name]: value } }
  const key = `${name}-${value}-${deploymentId}`
  const post = (path: string, body: object) =>
    ask({ method: 'POST', path, body: { deploymentId, ...body }, idempotencyKey: key })
  const isEdit = written.name !== 'count'
  const answer = isEdit
    ? await post('/api/plugins/v1/settings/update', { presets: values })
    : written.kind === 'preset'
      ? await post('/api/public/v1/plugins/v2/deployment/sync-config', { presets: values })
      : await post('/api/public/v1/plugins/v2/deployment/sync-templates', { templates: values })
  if (answer?.status !== 200) return
  const ackedMs = town.world.scheduler.nowMs
  town.memory.plugin.settings.push({ ...written, deploymentId, value, ackedMs })
}
