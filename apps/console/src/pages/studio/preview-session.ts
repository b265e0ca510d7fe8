import type { Contract, ResponseOf } from '@tillwright/contract'
import { api, ApiFailure } from '../../api/client.ts'
import type { JsonObject } from '../../forms/schema/index.ts'

/** A page of a plugin, as the manifest has it. */
export interface PluginPage {
  id: string
  path: string
  name: string
}

/** Deployment and page of a preview. */
export interface PreviewTarget {
  storeId: string
  pluginId: string
  /** Where the deployment's pages begin. */
  url: string
  page: PluginPage
}

/** A preview session that has begun. */
export interface BegunPreview {
  sessionId: string
  /** With a code that opens the session once, within a minute. */
  address: string
}

/**
 * Begins a preview of a page with unsaved settings.
 *
 * @returns `null` where the store has no funnel, which every preview is in.
 * @throws {ApiFailure}
 */
export async function beginPreview(target: PreviewTarget, config: JsonObject): Promise<BegunPreview | null> {
  const { storeId, url, page } = target
  const { data: funnels } = await api.funnels.list({ storeId, archived: 'false', limit: 100 })
  const found = stepFor(target, funnels)
  if (found === null) return null
  const { sessionId, token } = await api.funnels.previewSession({
    ...found,
    storeId,
    builderOptions: { config },
    contextData: { source: 'console' },
  })
  const names = page.path.split('/').map((name) => (name.startsWith(':') ? 'preview' : encodeURIComponent(name)))
  return { sessionId, address: `${url.replace(/\/$/, '')}${names.join('/')}#tillwright-code=${await handOver(token)}` }
}

/** Has the page of a preview that is open show other settings, once it reads its session again. */
export async function changePreview(sessionId: string, config: JsonObject): Promise<void> {
  await api.funnels.updatePreview({ sessionId, builderOptions: { config } })
}

type Funnel = ResponseOf<Contract['funnels']['get']>

/** The step that shows the page, else one of its plugin, else any: a preview may begin everywhere. */
function stepFor(
  { pluginId, page }: PreviewTarget,
  funnels: readonly Funnel[],
): { funnelId: string; stepId: string } | null {
  const steps = funnels.flatMap((funnel) => funnel.steps.map((step) => ({ ...step, funnelId: funnel.id })))
  const ofPlugin = steps.filter((step) => step.pluginId === pluginId)
  const step = ofPlugin.find(({ pageId }) => pageId === page.id) ?? ofPlugin[0] ?? steps[0]
  return step === undefined ? null : { funnelId: step.funnelId, stepId: step.id }
}

const handOverPath: Contract['session']['handOver']['path'] = '/api/session/v1/session/hand-over'

/** A code for the address: the token itself is a lasting secret, and goes into none. The member's cookie stays here. */
async function handOver(token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': crypto.randomUUID() }
  const response = await fetch(handOverPath, { method: 'POST', headers, credentials: 'omit', redirect: 'error' })
  if (!response.ok) throw new ApiFailure(response.status, {})
  const { code } = (await response.json()) as ResponseOf<Contract['session']['handOver']>
  return code
}
