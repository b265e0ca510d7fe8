import type { Content } from './content.ts'
import { bytesOf } from './file-changes.ts'
import { PublishError } from './publish-error.ts'
import type { Remote } from './remote.ts'

/**
 * Checks content against what the platform allows, before anything is sent.
 *
 * @throws {PublishError} `too_large`, with the file or the sum that is.
 */
export function checkLimits({ files }: Content, { fileBytes, files: most, deploymentBytes }: Remote['limits']): void {
  const large = files.find(({ size }) => size > fileBytes)
  if (large !== undefined) {
    throw tooLarge(`${large.path} has ${large.size} bytes; a file may have ${fileBytes}.`)
  }
  if (files.length > most) throw tooLarge(`There are ${files.length} files; a deployment may have ${most}.`)
  const bytes = bytesOf(files)
  if (bytes > deploymentBytes) {
    throw tooLarge(`The files have ${bytes} bytes together; a deployment may have ${deploymentBytes}.`)
  }
}

function tooLarge(message: string): PublishError {
  return new PublishError('too_large', message)
}
