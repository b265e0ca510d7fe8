import { expect, test } from 'vitest'
import { secretBox } from '../ambient/secret-box.ts'
import { checkMasterKey } from './check-master-key.ts'
import { openJweKeys } from './jwe-keys.ts'
import { openVault } from './testing/open-vault.ts'

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
