import { contract } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { encryptCard } from '../test/vault/encrypt-card.ts'
import { ask } from './ask.ts'

/** Where the shop of the local platform is expected, and so what its publishable key allows. */
const SHOP_ORIGIN = 'http://localhost:4410'

/** A payment instrument of a card that came through the vault's form: its id. */
export async function newCardInstrument(local: LocalFile): Promise<string> {
  const query = new URLSearchParams({ key: local.publishableKey, origin: SHOP_ORIGIN, id: 'bench' })
  const form = await (await fetch(`${local.vaultUrl}/v1/card?${query}`)).text()
  const [, frame = ''] = /data-frame="([^"]*)"/.exec(form) ?? []
  const { jwk, session } = JSON.parse(frame.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const iat = Math.floor(Date.now() / 1_000)
  const jti = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
  const jwe = await encryptCard(jwk, { origin: SHOP_ORIGIN, session, iat, jti, expYear: 2040 })
  const vault = { origin: local.vaultUrl, key: local.publishableKey }
  const { serviceToken } = await ask(contract.vault.createToken, { body: { jwe } }, vault)
  const body = { serviceToken, storeId: local.storeId }
  const api = { origin: local.apiUrl, key: local.apiKey }
  const { paymentInstrument } = await ask(contract.paymentInstruments.createFromToken, { body }, api)
  return paymentInstrument.id
}
