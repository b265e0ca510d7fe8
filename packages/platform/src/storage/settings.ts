import { access, constants } from 'node:fs/promises'
import { z } from 'zod'
import { makeFolder, type Reading, setting, wrongSetting } from '../runtime/index.ts'
import { readBlobsUrl, type S3Place } from './blobs/index.ts'
import { readDatabaseUrl } from './postgres/database-url.ts'

/** Where a platform keeps what it stores, and how it treats the schema of its database. */
export interface StorageConfig {
  /** The folder of state: the embedded database, the local keys. */
  home: string
  /** PostgreSQL, or `undefined` for the embedded database; and replicas of it, for reads that may be a little behind. */
  databaseUrl: string | undefined
  replicaUrl: string | undefined
  /** The store of the files of plugins, or `undefined` for a folder in `home`. */
  blobs: S3Place | undefined
  schema: SchemaConfig
}

/** The settings about the schema. */
export interface SchemaConfig {
  mode: 'auto' | 'manual'
  /** How long a statement may take; 0 for as long as it takes. */
  statementMs: number
  contractAfterMs: number
  /** Whether to start on an embedded database that was copied without its newest transactions. */
  acceptIncompleteCopy: boolean
}

export const storageVariables = {
  TILLWRIGHT_HOME: setting(z.string().min(1).default('.tillwright'), {
    doc: 'The folder of state: the embedded database, files of plugins, local keys, large request bodies while they are read.',
  }),
  DATABASE_URL: setting(
    z.optional(z.string().regex(/^$|^postgres(ql)?:/, 'must begin with postgres:// or postgresql://')),
    {
      doc: 'The PostgreSQL server, or several of a cluster. Many processes need one; without it, the embedded database in `TILLWRIGHT_HOME` is used. See [PostgreSQL](postgresql.md).',
      form: '`postgres://` address',
    },
  ),
  TILLWRIGHT_REPLICA_URL: setting(z.string().optional(), {
    doc: 'Replicas of the PostgreSQL server, for reads whose callers accept that they are a little behind.',
    form: '`postgres://` address',
  }),
  TILLWRIGHT_BLOBS: setting(z.string().optional(), {
    doc: 'A bucket for the files of plugins, in a store that speaks S3. Without it they are in `TILLWRIGHT_HOME`, which several machines do not share.',
    form: '`s3://bucket/prefix?region=...`',
  }),
  TILLWRIGHT_MIGRATE: setting(z.enum(['auto', 'manual']).default('auto'), {
    doc: 'Whether a start migrates the schema, or waits for `tillwright migrate`. See [changing the schema](changing-the-schema.md).',
  }),
  TILLWRIGHT_MIGRATE_STATEMENT_SECONDS: setting(z.coerce.number().int().min(0).max(86_400).default(0), {
    unit: 'seconds',
    doc: 'How long one statement of a migration may take on PostgreSQL; 0 for as long as it takes, because one that is cut off has to begin again.',
  }),
  TILLWRIGHT_CONTRACT_AFTER_HOURS: setting(z.coerce.number().min(0).max(8_760).default(24), {
    unit: 'hours',
    doc: 'How long no process of an older version must have been seen before what only it needs is taken away. A day leaves time to go back.',
  }),
  TILLWRIGHT_ACCEPT_INCOMPLETE_COPY: setting(z.enum(['yes', 'no']).default('no'), {
    doc: 'Starts on an embedded database that was copied without its newest transactions. They are lost then; restore a [backup](backup.md) instead.',
  }),
}

type Variables = z.output<z.ZodObject<typeof storageVariables>>

export function storageSettings(set: Variables, { environment, attempt }: Reading): StorageConfig {
  return {
    home: set.TILLWRIGHT_HOME,
    databaseUrl: attempt(() => addressOf('DATABASE_URL', set.DATABASE_URL)),
    replicaUrl: attempt(() => addressOf('TILLWRIGHT_REPLICA_URL', set.TILLWRIGHT_REPLICA_URL)),
    blobs: attempt(() => blobsOf(set.TILLWRIGHT_BLOBS || undefined, environment)),
    schema: {
      mode: set.TILLWRIGHT_MIGRATE,
      statementMs: set.TILLWRIGHT_MIGRATE_STATEMENT_SECONDS * 1_000,
      contractAfterMs: set.TILLWRIGHT_CONTRACT_AFTER_HOURS * 3_600_000,
      acceptIncompleteCopy: set.TILLWRIGHT_ACCEPT_INCOMPLETE_COPY === 'yes',
    },
  }
}

/** The address of a PostgreSQL, once it can be read; empty is as good as not set. */
function addressOf(name: 'DATABASE_URL' | 'TILLWRIGHT_REPLICA_URL', url: string | undefined): string | undefined {
  if (!url) return undefined
  readDatabaseUrl(url, { setting: name, role: name === 'DATABASE_URL' ? 'primary' : 'replica' })
  return url
}

/**
 * Makes the folder of state if it is missing.
 *
 * @throws {ConfigError} If it cannot be made or written.
 */
export async function takeHome(home: string): Promise<void> {
  try {
    await makeFolder(home)
    await access(home, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = String(Object(error).code)
    throw wrongSetting(
      'TILLWRIGHT_HOME',
      `the folder ${home} cannot be ${code === 'EEXIST' ? 'one, because it is a file' : `written (${code})`}; name one that this user may write.`,
    )
  }
}

function blobsOf(url: string | undefined, environment: Reading['environment']): S3Place | undefined {
  if (url === undefined) return undefined
  const place = readBlobsUrl(url, environment === 'local')
  if (typeof place !== 'string') return place
  throw wrongSetting('TILLWRIGHT_BLOBS', place)
}
