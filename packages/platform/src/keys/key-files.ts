import { readFile, stat, writeFile } from 'node:fs/promises'
import { OperatorError } from '../runtime/index.ts'

/**
 * Reads a file that only its owner may read.
 *
 * @throws {OperatorError} If it is missing, or others may read it.
 */
export async function readPrivateFile(path: string): Promise<string> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw new OperatorError(`the file ${path} can be read by others (mode ${shown}); run "chmod 600 ${path}".`)
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof OperatorError || !(error instanceof Error && 'code' in error)) throw error
    throw new OperatorError(
      `the file ${path} cannot be read (${String(error.code)}); name one that this user may read.`,
      { cause: error },
    )
  }
}

/**
 * Writes a file that only its owner may read.
 *
 * @throws {OperatorError} If there is one already.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new OperatorError(`the file ${path} cannot be written (${code}); name a new file in a folder of your own.`, {
      cause: error,
    })
  })
}
