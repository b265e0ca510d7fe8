import { type CallOf, contract } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { type Answer, sendRequest } from '../test/send-request.ts'

type Manifest = CallOf<typeof contract.plugins.deploy>['body']['manifest']

/** Requests by which a tenant, or a buyer's page, loads the process that it shares with all others. */
export interface Attacker {
  /** Synchronises a schema with a pattern, and a preset for it to run on. */
  syncPattern: (pattern: string, text: string) => Promise<Answer>
  sync: (body: Omit<CallOf<typeof contract.plugins.syncConfig>['body'], 'deploymentId'>) => Promise<Answer>
  /** Edits settings as the merchant does. */
  edit: (body: Omit<CallOf<typeof contract.pluginManagement.updateSettings>['body'], 'deploymentId'>) => Promise<Answer>
  /** Deploys. The text is sent as it is, where it is one. */
  deploy: (body: object | string) => Promise<Answer>
  /** Replaces the lines of the session's order, as a buyer's page does. */
  setLines: (body: object | string) => Promise<Answer>
  /** Reports an event, as a buyer's page does. */
  track: (body: CallOf<typeof contract.session.track>['body']) => Promise<Answer>
  /** Asks for any operation with the account's key. */
  ask: (operation: { method: string; path: string }, body: unknown) => Promise<Answer>
  storeId: string
}

/** An account's key, a deployment of its own, and the token of a buyer's session. */
export async function openAttacker(local: LocalFile): Promise<Attacker> {
  const { apiUrl, apiKey: key, storeId } = local
  const { deploy, syncConfig } = contract.plugins
  const ask = ({ method, path }: { method: string; path: string }, body: unknown, token = key) =>
    sendRequest(method, apiUrl + path, { key: token, body })
  const { deploymentId } = deploy.response.parse((await ask(deploy, harmless(storeId))).body)
  const page = { funnelId: local.funnelId }
  const begun = await sendRequest('POST', apiUrl + contract.session.begin.path, {
    key: local.publishableKey,
    headers: { Origin: new URL(local.shopUrl ?? 'http://localhost:4410').origin },
    body: page,
  })
  const { token } = contract.session.begin.response.parse(begun.body)
  const sync: Attacker['sync'] = (body) => ask(syncConfig, { deploymentId, ...body })
  return {
    sync,
    syncPattern: (pattern, text) =>
      sync({ dryRun: true, schema: { properties: { slow: { pattern } } }, presets: { dark: { slow: text } } }),
    edit: (body) => ask(contract.pluginManagement.updateSettings, { deploymentId, ...body }),
    deploy: (body) => ask(deploy, body),
    setLines: (body) => ask(contract.session.setLines, body, token),
    track: (body) => ask(contract.session.track, body, token),
    ask,
    storeId,
  }
}

/** The body of a deployment, with more in its manifest. */
export function harmless(storeId: string, config: Manifest['config'] = {}) {
  const pages = [{ id: 'checkout', path: '/checkout' }]
  return {
    storeId,
    manifest: { pluginId: 'attacks', name: 'Attacks', version: '1.0.0', pages, config },
    inlineAssets: [{ path: 'index.html', content: '<!doctype html><title>Checkout</title>' }],
    overwrite: true,
  }
}

/** An object of so many names, each of nine letters. */
export function uniqueKeys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index).padStart(8, '0')}`, 1]))
}
