import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatformLog, readConfig, startLocal as start, type LocalFile } from '@tillwright/platform'

/** A local platform that runs in this process. */
export interface RunningLocal {
  /** What `TILLWRIGHT_HOME` is to be for commands that should find it. */
  home: string
  file: LocalFile
  /** Stops it and deletes its folder. */
  stop: () => Promise<void>
}

/** Starts a local platform in a folder of its own, on free ports. */
export async function startLocal(): Promise<RunningLocal> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  const config = readConfig({ TILLWRIGHT_HOME: home, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' })
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const platform = await start(config, 'http://localhost:9', { log })
  await platform.announce(null)
  return {
    home,
    file: platform.local,
    async stop() {
      await platform.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
