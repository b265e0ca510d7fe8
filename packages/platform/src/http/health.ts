import type { Parts } from '../call.ts'
import type { App } from './api-app.ts'

/** `/healthz`: the process is alive. `/readyz`: it can serve, which needs its database. */
export function routeHealth(app: App, { db, log }: Pick<Parts, 'db' | 'log'>, stopping: AbortSignal): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (stopping.aborted) return c.json({ status: 'stopping' }, 503)
    try {
      await db.read('SELECT 1 AS one', [])
      return c.json({ status: 'ready', engine: db.engine })
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      return c.json({ status: 'the database does not answer' }, 503)
    }
  })
}
