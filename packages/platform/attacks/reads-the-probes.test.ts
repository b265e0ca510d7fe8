/*
 * The attacker has nothing but the public addresses, and asks the probes which machine answers, as what process, and on
 * what database.
 */
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()

test('the probes tell neither host nor process, engine, version or clock, whether all is well or not', async () => {
  const { apiUrl, vaultUrl, services } = platform()
  const ask = async () => {
    const paths = ['/livez', '/healthz', '/readyz', '/startupz']
    const answers = paths.flatMap((path) => [apiUrl, vaultUrl].map((url) => fetch(url + path)))
    return Promise.all((await Promise.all(answers)).map((answer) => answer.json()))
  }
  const well = await ask()
  await services.db.close()
  const ill = await ask()
  for (const answer of [...well, ...ill]) {
    expect(Object.keys(answer).filter((name) => name !== 'status' && name !== 'failed')).toEqual([])
    expect(JSON.stringify(answer)).not.toContain(hostname())
    expect(JSON.stringify(answer)).not.toContain(services.cluster.self.name)
    expect(JSON.stringify(answer)).not.toContain('sqlite')
  }
})
