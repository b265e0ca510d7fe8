import { randomUUID } from 'node:crypto'
import type { Client } from '@tillwright/client'
import { contract, type Operation, type ResponseOf } from '@tillwright/contract'
import { presetOfCard, type Scenario } from '../scenarios/index.ts'
import type { DemoShop } from './shop.ts'

/** A preview that pages are bound to. */
export interface Preview {
  sessionId: string
  /** Opens the session to a page, for an hour after its last use. */
  token: string
  /** The step that it began with. */
  stepId: string
}

/** Where a preview begins, and with what. */
export interface WantedPreview {
  client: Client
  apiUrl: string
  shop: DemoShop
  funnelId: string
  stepId: string
  /** Where the pages of the steps are shown, so that buyers can come back to them from a bank. */
  stepUrls: readonly { stepId: string; url: string }[]
  scenario: Scenario
  /** The settings that pages are to have in the place of those of the store; `null` for none. */
  config: Readonly<Record<string, unknown>> | null
}

/** Begins a preview session, with what the scenario says in its order. */
export async function beginPreview(wanted: WantedPreview): Promise<Preview> {
  const { client, apiUrl, shop, funnelId, stepId, stepUrls, scenario, config } = wanted
  const begun = await client.funnels.previewSession({
    funnelId,
    storeId: shop.storeId,
    stepId,
    stepUrls: [...stepUrls],
    ...optionsOf(scenario, config),
  })
  const { sessionId } = begun
  if (scenario.threeds !== undefined) await client.funnels.updatePreview({ sessionId, threeds: scenario.threeds })
  const lines = scenario.lines ?? [{ variantId: shop.variantId, quantity: 1 }]
  const { currency } = scenario
  const body = { lines, ...(currency !== undefined && { currency }) }
  if (lines.length > 0) await callSession(contract.session.setLines, { apiUrl, token: begun.token, body })
  return { sessionId, token: begun.token, stepId }
}

function optionsOf(scenario: Scenario, config: WantedPreview['config']) {
  const { name, currency, locale, country, card, viewport } = scenario
  const preset = card === undefined ? undefined : presetOfCard(card)
  return {
    contextData: { source: 'dev', scenario: name },
    builderOptions: { ...(viewport !== undefined && { viewport }), ...(config !== null && { config }) },
    ...(currency !== undefined && { currency }),
    ...(locale !== undefined && { locale }),
    ...(country !== undefined && { previewShippingCountry: country }),
    ...(preset !== undefined && { testCardPreset: preset }),
  }
}

/** A request with a session's token. */
export interface SessionCall {
  apiUrl: string
  token: string
  body?: object
}

/**
 * Does what a page would do in its session.
 *
 * @throws {Error} With what the platform says, when it refuses.
 */
export async function callSession<Op extends Operation>(
  { method, path }: Op,
  { apiUrl, token, body }: SessionCall,
): Promise<ResponseOf<Op>> {
  const response = await fetch(apiUrl + path, {
    method,
    redirect: 'error', // the token would be sent along
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(String(answer?.error?.message ?? `The platform answered ${response.status}.`))
}
