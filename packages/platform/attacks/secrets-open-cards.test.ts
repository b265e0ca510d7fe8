/**
 * The attacker has taken over a process that needs no cards: it has the database, and the ring of the platform's other
 * secrets with its master key. It looks for a card number.
 */
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openRings } from '../src/platform-keys.ts'
import { localKeys } from '../src/local/index.ts'
import { newInstrument } from '../test/pay-with-card.ts'
import { startTestPlatform, testableEngines } from '../test/test-platform.ts'
import { openCardVault } from '../src/vault/card-vault.ts'

const WRAPPED = 'SELECT ring, version, wrapped FROM data_key_wraps'

test.for(testableEngines())('the key of secrets opens no card and no key of cards, on %s', async (engine) => {
  const platform = await startTestPlatform({ engine })
  onTestFinished(() => platform.remove())
  await newInstrument(platform)
  const { db, clock, randomness } = platform.services
  const { secretsKey } = await localKeys(readConfig({ ...platform.settings, TILLWRIGHT_SEED: undefined }))
  const stolen = await openRings({ vaultKey: undefined, secretsKey }, { db, clock, randomness })
  onTestFinished(() => stolen.close())

  const [card] = await db.read('SELECT account_id, id, sealed_key, sealed_card FROM cards', [])
  const sealed = { sealedKey: String(card?.['sealed_key']), sealedCard: String(card?.['sealed_card']) }
  const owner = { accountId: String(card?.['account_id']), cardId: String(card?.['id']) }
  await expect(openCardVault(stolen.secrets.box, randomness).open(sealed, owner)).rejects.toThrow()

  const wraps = await db.read(WRAPPED, [])
  const ofCards = wraps.filter((row) => row['ring'] === 'cards')
  expect(ofCards).toHaveLength(2)
  for (const { version, wrapped } of ofCards) {
    for (const ring of ['cards', 'secrets'])
      await expect(stolen.secrets.master.unwrap(String(wrapped), `${ring}/${version}`)).rejects.toThrow()
  }
  // Moved to the ring whose master key the attacker has, they stay shut as well.
  await db.write([
    {
      sql: `UPDATE data_key_wraps SET wrapped = ? WHERE ring = 'secrets' AND version = 1`,
      params: [String(ofCards[1]?.['wrapped'])],
    },
  ])
  await expect(openRings({ vaultKey: undefined, secretsKey }, { db, clock, randomness })).rejects.toThrow()
})
