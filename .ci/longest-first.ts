import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './spawn-program.ts'
import { secondsOf } from './turns.ts'

/** The projects in the order in which they begin. Files of one stand together, because its workers go from one to the next. */
const PROJECTS = ['flows', 'faults', 'browser', 'unit']

/**
 * The order of test files: what takes long begins early, so that no processor waits for the last one. Behind those that
 * are noted in `slow-files.json` comes vitest's own order: by the time that a file took last, or by its size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, which gives a new list
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => projectOf(a) - projectOf(b) || longOf(b) - longOf(a))
  }
}

function projectOf({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name)
}

/** Its seconds, or none where it is not slow. */
function longOf({ moduleId }: TestSpecification): number {
  return secondsOf[relative(root, moduleId).replaceAll('\\', '/')] ?? 0
}
