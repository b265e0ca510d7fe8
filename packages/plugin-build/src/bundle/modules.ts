import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileError, lineStarts, positionAt, type Problem } from '../problem.ts'
import { type BuiltOutput, type ModulesToBuild, runEsbuild } from './esbuild.ts'
import { inputName } from '../source-map.ts'
import { address, type AddressedModules, leadsToScript, workerName } from './module-addresses.ts'
import { leadsOutside, outsideFile } from './outside-files.ts'

export interface BuiltModules {
  outputs: BuiltOutput[]
  /** The modules in which addresses were replaced. */
  addressed: AddressedModules
  /** Warnings. */
  problems: Problem[]
}

/**
 * Bundles the entries of a plugin, in memory. Scripts that modules refer to by address, such as workers, become entries
 * too: each round finds those added by the round before, and nearly always one round is enough.
 *
 * @returns The outputs, or the errors.
 */
export async function buildModules(modules: ModulesToBuild): Promise<BuiltModules | Problem[]> {
  const addressed: AddressedModules = new Map()
  for (;;) {
    const built = await runEsbuild(withWorkers(modules, addressed), addressed)
    if (!('outputs' in built)) return built
    const found = findAddresses(built.outputs)
    if (found.length === 0) return { ...built, addressed }
    const problems = await Promise.all(found.map((each) => follow(modules.root, each, addressed)))
    if (problems.flat().length > 0) return problems.flat()
  }
}

/** The scripts referred to by address, without duplicates. */
export function workersOf(addressed: AddressedModules): string[] {
  const targets = [...addressed.values()].flatMap((module) => [...module.targets.values()])
  return [...new Set(targets.filter(leadsToScript))].toSorted()
}

function withWorkers(modules: ModulesToBuild, addressed: AddressedModules): ModulesToBuild {
  const workers = workersOf(addressed).map((module) => ({ name: workerName(module), module }))
  return { ...modules, entries: [...modules.entries, ...workers] }
}

/** Records an address for each module that contains it, so that the next round replaces it. */
async function follow(root: string, found: FoundAddress, addressed: AddressedModules): Promise<Problem[]> {
  const owners = await Promise.all(found.modules.map((path) => readOwner(root, path, found.specifier)))
  if (owners.every((owner) => owner === null)) return [composedAddress(found)]
  return owners.flatMap((owner) => {
    if (owner === null) return []
    const { path, text, index, target } = owner
    if (leadsOutside(root, target)) {
      return outsideFile({ file: path, specifier: found.specifier, shown: inputName(target), text })
    }
    const wrong = addressFault(found, existsSync(join(root, target)))
    if (wrong !== null)
      return { ...wrong, severity: 'error', file: path, ...positionAt(lineStarts(text), index), pointer: null }
    const module = addressed.get(path) ?? { text, targets: new Map<string, string>() }
    module.targets.set(found.specifier, target)
    addressed.set(path, module)
    return []
  })
}

/** The module's text and the offset of the address; null if it is not there. */
async function readOwner(root: string, path: string, specifier: string) {
  const text = await readFile(join(root, path), 'utf8').catch(() => '')
  const match = text.matchAll(address).find(([, , written]) => written === specifier)
  return match === undefined
    ? null
    : { path, text, index: match.index, target: posix.join(posix.dirname(path), specifier) }
}

/** The minifier composed the address from several strings in the source. */
function composedAddress({ specifier, modules }: FoundAddress): Problem {
  return fileError(modules[0] ?? '', {
    code: 'composed-address',
    rule: `The address "${specifier}" must be a single string.`,
    fix: "Write `new URL('...', import.meta.url)` with a single string.",
  })
}

function addressFault(
  { specifier, isClassicWorker }: FoundAddress,
  exists: boolean,
): Pick<Problem, 'code' | 'rule' | 'fix'> | null {
  if (!exists) {
    return {
      code: 'unresolved-address',
      rule: `There is no file at "${specifier}".`,
      fix: "Correct the address; it is relative to this module and includes the file's extension.",
    }
  }
  if (!isClassicWorker) return null
  return {
    code: 'classic-worker',
    rule: 'A worker must be of type "module", because its script may be split.',
    fix: "Write `new Worker(new URL('...', import.meta.url), { type: 'module' })`.",
  }
}

/** An address of another file that esbuild has left unchanged. */
interface FoundAddress {
  /** `./worker.ts` */
  specifier: string
  /** The modules that may contain it, relative to the root. */
  modules: string[]
  /** Whether it is given to a worker that is not of type `module`. */
  isClassicWorker: boolean
}

const beforeWorker = /\bnew (?:Shared)?Worker\($/
const ofTypeModule = /^,\s*\{[^}]*\btype:\s*["'`]module["'`]/

/** The addresses in built scripts that lead to sources. Comments and dead code are already removed. */
function findAddresses(outputs: readonly BuiltOutput[]): FoundAddress[] {
  const names = new Set(outputs.map(({ path }) => posix.basename(path)))
  const scripts = outputs.filter(({ path }) => path.endsWith('.js'))
  return scripts.flatMap((output) => {
    const { text } = output
    // Few scripts have one, and this check is faster than the expression.
    if (!text.includes('import.meta.url')) return []
    return [...text.matchAll(address)].flatMap(({ 0: all, 2: specifier = '', index }) => {
      // Addresses of other outputs come from esbuild or from an earlier round.
      if (names.has(posix.basename(specifier)) || isWritten(specifier)) return []
      const isWorker = beforeWorker.test(text.slice(Math.max(0, index - WORKER_CHARS), index))
      const isModule = ofTypeModule.test(text.slice(index + all.length, index + all.length + OPTIONS_CHARS))
      return { specifier, modules: [...output.inputs.keys()], isClassicWorker: isWorker && !isModule }
    })
  })
}

/** Enough to hold `new SharedWorker(`. */
const WORKER_CHARS = 32
/** Enough to hold a worker's options, written as an object. */
const OPTIONS_CHARS = 200

/** Whether it is the address of a worker whose hash is not known yet. */
function isWritten(specifier: string): boolean {
  return /-[A-Z2-7]{8}\.js$/.test(specifier)
}
