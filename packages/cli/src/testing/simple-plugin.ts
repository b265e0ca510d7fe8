import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from './run-command.ts'

/** Creates a plugin of one page that needs no packages, with these scenarios. It is deleted after the test. */
export async function simplePlugin(page: string, scenarios: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-plugin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  await runCommand(['init', folder, '--yes'], {})
  const manifest = JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))
  await rm(join(folder, 'src'), { recursive: true })
  await mkdir(join(folder, 'src/pages'), { recursive: true })
  await writeFile(join(folder, 'src/pages', `${manifest.pages[0].id}.ts`), page)
  await writeFile(join(folder, 'scenarios.json'), JSON.stringify({ scenarios }))
  return folder
}
