import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { forwardingSeedFile } from '../events/forwarding-secret.ts'
import { credentialsFile } from '../target/credentials.ts'
import { fail, ok, type Finding } from './finding.ts'

/** Whether the folder of the credentials, and each file with a secret in it, is its owner's alone. */
export async function checkConfigFolder(env: NodeJS.ProcessEnv = process.env): Promise<Finding[]> {
  const file = credentialsFile(env)
  const wanted = [
    [dirname(file), '700'],
    [file, '600'],
    [forwardingSeedFile(env), '600'],
  ] as const
  const findings = await Promise.all(wanted.map(([path, mode]) => checkMode(path, mode)))
  const found = findings.filter((finding) => finding !== null)
  return found.length > 0 ? found : [ok('nothing is kept of logins')]
}

async function checkMode(path: string, wanted: string): Promise<Finding | null> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return null
  // On Windows the modes say nothing; there a profile's folder is its owner's.
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return ok(`${path} is yours alone`)
  return fail(`${path} can be read by others (${(stats.mode & 0o777).toString(8)})`, `chmod ${wanted} ${path}`)
}
