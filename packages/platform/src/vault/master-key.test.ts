import { expect, test } from 'vitest'
import { openVault } from '../../test/vault/open-vault.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { openJweKeys } from './jwe.ts'
import { checkMasterKey } from './master-key.ts'

test('an empty vault starts under any key, and a filled one under the key it was filled with', async () => {
  const { parts } = await openVault()
  await checkMasterKey(parts)
  await openJweKeys(parts)
  await checkMasterKey(parts)
})

test('a filled vault does not start under another key, and says which one it needs', async () => {
  const { parts } = await openVault()
  await openJweKeys(parts)
  const secrets = secretBox(new Uint8Array(32).fill(7), parts.randomness)
  await expect(checkMasterKey({ ...parts, secrets })).rejects.toThrow(`under the key ${parts.secrets.keyId}`)
})
