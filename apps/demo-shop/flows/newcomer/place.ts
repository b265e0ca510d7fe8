import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { snippetsRunBy } from '../../../../.ci/snippets/read-snippets.ts'
import { oldNode } from './newcomer.ts'
import { servePackages, type PackagesServer } from './serve-packages.ts'

/** Where newcomers arrive: an empty folder, the packages as the README has them served, and the Node of an older machine. */
export interface Place {
  folder: string
  registry: PackagesServer
  /** The program; the oldest one that the README speaks of only in a soak. */
  node: string
  stop: () => Promise<void>
}

/** Prepares one in the machine's folder for passing files. */
export async function preparePlace(): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-newcomer-')))
  const registry = await servePackages()
  const node = soaks ? await oldNode(join(folder, 'node')) : process.execPath
  return {
    folder,
    registry,
    node,
    async stop() {
      await registry.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What the README says of the packages: what serves them, what starts a shop from them, and what makes a plugin with them. */
export function readmeSnippets(): readonly string[] {
  return snippetsRunBy('newcomer').map(({ code }) => code.trim())
}

/** The reference, and the guide, whose files are a package of their own. */
export async function expectReference(apiUrl: string): Promise<void> {
  expect(await (await fetch(`${apiUrl}/docs`)).text()).toContain('href="/docs/accounts"')
  expect(await (await fetch(`${apiUrl}/guide`)).text()).toContain('<title>Tillwright documentation</title>')
}
