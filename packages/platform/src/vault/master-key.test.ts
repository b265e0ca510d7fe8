import { expect, test } from 'vitest'
import { openVault } from '../../test/vault/open-vault.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { openJweKeys } from './jwe.ts'
import { checkMasterKey } from './master-key.ts'

test('an empty vault starts under any key, and a filled one under the key it was filled with', async () => {
  const { services } = await openVault()
  await checkMasterKey(services)
  await openJweKeys(services)
  await checkMasterKey(services)
})

test('a filled vault does not start under another key, and says which one it needs', async () => {
  const { services } = await openVault()
  await openJweKeys(services)
  const cardKeys = secretBox(new Uint8Array(32).fill(7), services.randomness)
  await expect(checkMasterKey({ ...services, cardKeys })).rejects.toThrow(`under the key ${services.cardKeys.keyId}`)
})
