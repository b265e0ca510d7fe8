import { describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { hasOpenssl } from '../test/channel-files.ts'
import { engines, newPlace } from './new-place.ts'
import { openRoleShop, type RoleProcess } from './role-processes.ts'

const PAYMENTS = soaks ? 3_000 : 45
const AT_ONCE = 12

/** Only PostgreSQL serves several processes. */
describe.skipIf(!engines.includes('postgres') || !hasOpenssl)('three processes on PostgreSQL', () => {
  test(
    `none of ${PAYMENTS} payments goes out without its code, while one process is restarted and one is killed`,
    { timeout: soaks ? 900_000 : 60_000 },
    async () => {
      const shop = await openRoleShop(await newPlace('postgres'))
      const start = () => shop.start('all', { TILLWRIGHT_VAULT_KEY: shop.vaultKey })
      const living = await Promise.all([start(), start(), start()])
      const at = (n: number): RoleProcess => {
        const found = living[n % living.length]
        if (found === undefined) throw new Error('One process is always there.')
        return found
      }
      await shop.prepare(at(0))
      const third = Math.floor(PAYMENTS / 3)
      const instruments: string[] = []
      await inTurn(PAYMENTS, async (n) => {
        instruments[n] = await shop.redeem(at(n + 1), await shop.typeCard(at(n)))
        if (n !== third) return
        // One is restarted as in a rolling restart; what was typed at it is still there.
        const [leaving] = living.splice(0, 1)
        living.push(await start())
        await leaving?.kill('SIGTERM')
      })
      const payFrom = (from: number, count: number) =>
        inTurn(count, async (n) => {
          const paymentInstrumentId = instruments[from + n] ?? ''
          expect((await shop.pay(at(n + 2), { paymentInstrumentId })).body).toMatchObject({ status: 'succeeded' })
        })
      await payFrom(0, third)
      const [dying] = living.splice(0, 1)
      await dying?.kill('SIGKILL')
      await payFrom(third, PAYMENTS - third)
      const charges = await shop.read(
        'SELECT with_code, COUNT(*) AS payments FROM simulator_charges GROUP BY with_code',
      )
      expect(charges).toEqual([{ with_code: 1, payments: PAYMENTS }])
      expect(await shop.read('SELECT id FROM security_codes')).toEqual([])
    },
  )
})

/** Does so many things, a few at a time. */
async function inTurn(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
