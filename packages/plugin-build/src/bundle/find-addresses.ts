import { posix } from 'node:path'
import { address } from './module-addresses.ts'
import type { BuiltOutput } from './run-esbuild.ts'

/** An address of another file that esbuild has left as its author wrote it. */
export interface FoundAddress {
  /** `./worker.ts` */
  specifier: string
  /** The modules in which it may stand, relative to the root. */
  modules: string[]
  /** Whether it is given to a worker that is not of type `module`. */
  isClassicWorker: boolean
}

const beforeWorker = /\bnew (?:Shared)?Worker\($/
const ofTypeModule = /^,\s*\{[^}]*\btype:\s*["'`]module["'`]/

/** The addresses in built scripts that lead to sources. Comments and code that nobody needs are gone by then. */
export function findAddresses(outputs: readonly BuiltOutput[]): FoundAddress[] {
  const names = new Set(outputs.map(({ path }) => posix.basename(path)))
  const scripts = outputs.filter(({ path }) => path.endsWith('.js'))
  return scripts.flatMap((output) => {
    const { text } = output
    // Few scripts have one, and this is faster than the expression.
    if (!text.includes('import.meta.url')) return []
    return [...text.matchAll(address)].flatMap(({ 0: all, 2: specifier = '', index }) => {
      // What leads to another output has been written by esbuild or by a round before.
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
