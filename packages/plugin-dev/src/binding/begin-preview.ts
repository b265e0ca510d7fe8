import { contract } from '@tillwright/contract'
import type { Client } from '@tillwright/client'
import { presetOfCard } from '../scenarios/scenario-cards.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { callSession } from './call-session.ts'
import type { DemoShop } from './find-shop.ts'

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
  scenario: Scenario
}

/** Begins a preview session, with what the scenario says in its order. */
export async function beginPreview(wanted: WantedPreview): Promise<Preview> {
  const { client, apiUrl, shop, funnelId, stepId, scenario } = wanted
  const begun = await client.funnels.previewSession({ funnelId, storeId: shop.storeId, stepId, ...optionsOf(scenario) })
  const { sessionId } = begun
  if (scenario.threeds !== undefined) await client.funnels.updatePreview({ sessionId, threeds: scenario.threeds })
  const lines = scenario.lines ?? [{ variantId: shop.variantId, quantity: 1 }]
  const { currency } = scenario
  const body = { lines, ...(currency !== undefined && { currency }) }
  if (lines.length > 0) await callSession(contract.session.setLines, { apiUrl, token: begun.token, body })
  return { sessionId, token: begun.token, stepId }
}

function optionsOf({ name, currency, locale, country, card, viewport }: Scenario) {
  const preset = card === undefined ? undefined : presetOfCard(card)
  return {
    contextData: { source: 'dev', scenario: name },
    ...(viewport !== undefined && { builderOptions: { viewport } }),
    ...(currency !== undefined && { currency }),
    ...(locale !== undefined && { locale }),
    ...(country !== undefined && { previewShippingCountry: country }),
    ...(preset !== undefined && { testCardPreset: preset }),
  }
}
