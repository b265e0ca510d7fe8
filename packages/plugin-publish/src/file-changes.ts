import type { ContentFile } from './content.ts'
import type { FileLine, Plan } from './plan.ts'

/** How the files of a deployment differ from those of the one before, by path. */
export function fileChanges(before: readonly ContentFile[], after: readonly ContentFile[]): Plan['files'] {
  const former = new Map(before.map((file) => [file.path, file]))
  const paths = new Set(after.map((file) => file.path))
  const same = after.filter((file) => former.get(file.path)?.sha256 === file.sha256)
  const changed = after.filter((file) => (former.get(file.path)?.sha256 ?? file.sha256) !== file.sha256)
  return {
    new: after.filter((file) => !former.has(file.path)).map(line),
    changed: changed.map(line),
    removed: before.filter((file) => !paths.has(file.path)).map(line),
    same: { files: same.length, bytes: bytesOf(same) },
  }
}

/** The bytes of files together. */
export function bytesOf(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function line({ path, size }: ContentFile): FileLine {
  return { path, size }
}
