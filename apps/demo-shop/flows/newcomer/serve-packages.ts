import { isBuilt } from '../../../../.ci/is-built.ts'
import { spawnProgram } from '../../../../.ci/spawn-program.ts'

/** The README's `npm run packages`, under way. */
export interface PackagesServer {
  /** `http://127.0.0.1:<port>/` */
  url: string
  stop: () => Promise<void>
}

/** Runs it on a port that is free. @throws {Error} With what it printed, if it ends before it serves. */
export async function servePackages(): Promise<PackagesServer> {
  process.env['PORT'] = '0'
  // Other tests read the built files, so they are not built a second time.
  const program = isBuilt ? ['release/serve-packages.ts'] : ['dev.mjs', 'serve-packages']
  const child = spawnProgram(['node', ...program], ['ignore', 'pipe', 'inherit'])
  delete process.env['PORT']
  let printed = ''
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed) ?? []
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`npm run packages ended: ${printed}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
