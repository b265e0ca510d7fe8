import { access, constants, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '@tillwright/platform'
import { fail, type Finding, ok } from './checks.ts'

/** Whether the platform of these settings can write its database, or make one. */
export async function checkDatabase(config: Config): Promise<Finding> {
  return config.databaseUrl === undefined ? checkFile(config.home) : checkServer(config)
}

async function checkFile(home: string): Promise<Finding> {
  const folder = resolve(home)
  const file = join(folder, 'tillwright.db')
  if (await isThere(file)) {
    if ((await isWritable(file)) && (await isWritable(folder))) return ok(`the database ${file} can be written`)
    return fail(
      `the database ${file} cannot be written`,
      `make it and its folder yours, or name another in TILLWRIGHT_HOME`,
    )
  }
  const place = await existingFolder(folder)
  if ((await isFolder(place)) && (await isWritable(place)))
    return ok(`there is no database yet; one can be made in ${folder}`)
  return fail(`no database can be made in ${folder}`, `make ${place} yours, or name another folder in TILLWRIGHT_HOME`)
}

/** Opened as commands open it, beside the platform. */
async function checkServer(config: Config): Promise<Finding> {
  const { openOperator, OperatorError } = await import('@tillwright/platform')
  try {
    const operator = await openOperator(config)
    await operator.close()
    return ok('the database of DATABASE_URL answers')
  } catch (error) {
    if (error instanceof OperatorError) {
      return fail('the database of DATABASE_URL cannot be used', error.message)
    }
    return fail('the database of DATABASE_URL does not answer', 'see that it runs, and that DATABASE_URL is right')
  }
}

/** The path itself, or the next one above that is there. */
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
