import { access, constants, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '@tillwright/platform'
import { fail, type Finding, ok } from './checks.ts'

/** Checks that the platform can write its database, or create one. */
export async function checkDatabase(config: Config): Promise<Finding> {
  return config.databaseUrl === undefined ? checkFile(config.home) : checkServer(config)
}

async function checkFile(home: string): Promise<Finding> {
  const folder = resolve(home)
  const file = join(folder, 'tillwright.db')
  if (await isThere(file)) {
    if ((await isWritable(file)) && (await isWritable(folder))) return ok(`the database ${file} is writable`)
    return fail(
      `the database ${file} is not writable`,
      `take ownership of it and its folder, or set TILLWRIGHT_HOME to another folder`,
    )
  }
  const place = await existingFolder(folder)
  if ((await isFolder(place)) && (await isWritable(place)))
    return ok(`there is no database yet; one can be created in ${folder}`)
  return fail(
    `no database can be created in ${folder}`,
    `take ownership of ${place}, or set TILLWRIGHT_HOME to another folder`,
  )
}

/** Opened as commands open it, while the platform may be running. */
async function checkServer(config: Config): Promise<Finding> {
  const { openOperator, OperatorError } = await import('@tillwright/platform')
  try {
    const operator = await openOperator(config)
    await operator.close()
    return ok('the database of DATABASE_URL responds')
  } catch (error) {
    if (error instanceof OperatorError) {
      return fail('the database of DATABASE_URL cannot be used', error.message)
    }
    return fail(
      'the database of DATABASE_URL does not respond',
      'make sure that it is running and that DATABASE_URL is correct',
    )
  }
}

/** The path itself, or its nearest existing parent. */
async function existingFolder(folder: string): Promise<string> {
  return (await isThere(folder)) || folder === dirname(folder) ? folder : existingFolder(dirname(folder))
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

function isThere(path: string): Promise<boolean> {
  return may(path, constants.F_OK)
}

function isWritable(path: string): Promise<boolean> {
  return may(path, constants.W_OK)
}

function may(path: string, how: number): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  )
}
