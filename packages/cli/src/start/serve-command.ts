import { Command } from 'commander'
import { CommandFailed, failWith } from '../terminal/fail-with.ts'

const help = `
The settings are environment variables, listed in operate/README.md. All wrong ones are named at once, with exit code 78.
SIGTERM finishes the requests under way and stops.`

/** `tillwright serve`: runs the platform in the foreground, with its logs on the standard output. */
export const serveCommand = new Command('serve')
  .option(
    '--role <roles>',
    'what this process does: api, vault, worker, plugins, several of them, or all; as TILLWRIGHT_ROLE',
  )
  .addHelpText('after', help)
  .action(async ({ role }: { role?: string }) => {
    if (role !== undefined) process.env['TILLWRIGHT_ROLE'] = role
    try {
      await import('@tillwright/platform/run')
    } catch (error) {
      failWith(error)
    }
  })

const HEALTH_MS = 4_000

/** `tillwright health`: for health checks in containers without a shell. */
export const healthCommand = new Command('health')
  .addHelpText('after', '\nExits with 0 if the platform is ready to serve, and with 1 otherwise.')
  .action(() => askHealth(process.env).then((answer) => void process.stdout.write(`${answer}\n`), failWith))

/** Asks on loopback, with the ports of the settings, so that no proxy has a say. */
async function askHealth(env: NodeJS.ProcessEnv): Promise<string> {
  const host = env['TILLWRIGHT_HOST'] ?? 'localhost'
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  const roles = (env['TILLWRIGHT_ROLE'] ?? 'all').split(',').map((role) => role.trim())
  const isVault = roles.includes('vault') && !roles.some((role) => ['all', 'api', 'plugins'].includes(role))
  const port = isVault ? (env['TILLWRIGHT_VAULT_PORT'] ?? '4401') : (env['TILLWRIGHT_PORT'] ?? '4400')
  const url = `http://${own}:${port}/readyz`
  const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS) }).catch((error: unknown) => {
    throw new CommandFailed(`${url} does not answer (${reasonOf(error)}).`)
  })
  const text = await response.text()
  if (!response.ok) throw new CommandFailed(`${url} answers ${response.status}: ${text}`)
  return text
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
