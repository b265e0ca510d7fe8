import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Finding } from '../doctor/checks.ts'
import { runCommand } from './run-command.ts'

/** The checks of an area, by what the page "Going live" says of them: how the doctor begins to say the same. */
interface Area {
  fails: Readonly<Record<string, RegExp>>
  warns: Readonly<Record<string, RegExp>>
}

/** The table of apps/docs/pages/operating/going-live.md. Every finding of a test has to be in it, at its level. */
export const goingLive = {
  Settings: {
    fails: {
      'one is missing or wrong (all are named at once)': /^TILLWRIGHT_\w+: .*\ncorrect the setting$/,
      '`TILLWRIGHT_ENVIRONMENT` is not `production`': /^TILLWRIGHT_ENVIRONMENT: is (not set|local|development)$/,
    },
    warns: {
      '`TILLWRIGHT_TRUSTED_PROXIES` has a range larger than a /16 (IPv6: a /48)':
        /^TILLWRIGHT_TRUSTED_PROXIES: \S+ trusts/,
      'no captcha for forms that test cards': /^TILLWRIGHT_CHALLENGE_VERIFY_URL: is not set/,
      'a key is in the environment as text': /^TILLWRIGHT_\w+_KEY: is in the environment as text$/,
    },
  },
  Machine: {
    fails: {
      'Node is too old': /^Node .* is too old/,
      'less than 1 GiB free at `TILLWRIGHT_HOME`': /^TILLWRIGHT_HOME: 0\.\d GiB are free/,
      '1,024 descriptors or fewer': /^this process may open \d{1,4} files/,
    },
    warns: {
      'less than a tenth of the disk free': /^TILLWRIGHT_HOME: [\d.]+ GiB are free/,
      'fewer than 8,192 descriptors': /^this process may open \d{4} files/,
    },
  },
  Database: {
    fails: {
      "it cannot be used: it does not answer, is a standby, has another version's tables, or its commits are not durable (`fsync`, `full_page_writes`, `synchronous_commit`)":
        /^(DATABASE_URL|TILLWRIGHT_HOME): the database cannot be used$/,
      'it is older than PostgreSQL 14': /^PostgreSQL 1[0-3]\.\d+ is too old$/,
      'the user may not write each table': /^the database user may not write the tables$/,
    },
    warns: {
      SQLite: /^the database is a file on this machine/,
      'the user is a superuser': /^the database user is a superuser$/,
      'the user may not migrate': /^the database user may not create tables$/,
      "the connection, or the pooler's, is not encrypted":
        /^the connection (of the pooler )?to the (database|pooler) is not encrypted$/,
      'no synchronous standby': /^no standby is synchronous/,
      '`archive_mode` is off': /^archive_mode is off/,
      'the WAL is archived nowhere, or its newest part could not be':
        /^(archive_mode is on without an archive_command|the newest WAL could not be archived)/,
      '`autovacuum` is off': /^autovacuum is off/,
      'rows are older than a billion transactions': /^the oldest rows are \d+ transactions old/,
      'a replication slot keeps the WAL for nobody': /^nobody reads the replication slots /,
      'too few `max_connections`': /^max_connections is \d+, with \d+ processes$/,
    },
  },
  Pooler: {
    fails: {},
    warns: {
      'it is in session mode': /^a pooler in session mode/,
      'it does not keep prepared statements': /^a pooler in transaction mode .* does not keep prepared statements/,
      'it has no connection to spare': /^whether a pooler is in between could not be found out/,
    },
  },
  Backups: {
    fails: { 'the newest one of `tillwright backup` is older than a week': /^the newest backup is \d+ days old$/ },
    warns: {
      'there never was one': /^no whole backup of this database was ever taken/,
      'it is older than 26 hours': /^the newest backup is \d+ (hours|days) old$/,
      'it was never proved by `restore --verify`': /^the newest backup was never proved$/,
      'it lacks files': /^the newest backup lacks \d+ files/,
    },
  },
  Keys: {
    fails: {},
    warns: {
      'a data key or a master key is older than 400 days': /^the (data|master) key of (cards|secrets) is \d+ days old$/,
      'the replacement of a master key is not finished': /^the (cards|secrets) open under 2 master keys/,
    },
  },
  'Channel between roles': {
    fails: {
      "its certificate or its authority's ends within three days":
        /^TILLWRIGHT_CHANNEL_(CERT|CA): is valid for -?\d+ days$/,
      'one cannot be read': /^TILLWRIGHT_CHANNEL_(CERT|CA): holds no certificate/,
    },
    warns: { 'one ends within three weeks': /^TILLWRIGHT_CHANNEL_(CERT|CA): is valid for \d+ days$/ },
  },
  'Certificates of Apple Pay and 3-D Secure': {
    fails: {
      'one ends within three days':
        /^(the \S+ \S+ certificate of Apple Pay of|3-D Secure, ).*: is valid for -?\d+ days$/,
      'one cannot be read': /^3-D Secure, .*: holds no certificate/,
    },
    warns: {
      'one ends within three weeks':
        /^(the \S+ \S+ certificate of Apple Pay of|3-D Secure, ).*: is valid for \d+ days$/,
    },
  },
  Clocks: {
    fails: {
      "this machine's is more than 5 s off the database's": /^this machine's clock is \d+ ms (ahead of|behind) the/,
      "another process's is": /^the clock of \S+ is \d+ ms (ahead of|behind) the/,
    },
    warns: {
      "this machine's is more than 2 s off": /^this machine's clock is \d+ ms (ahead of|behind) the/,
      "another process's is": /^the clock of \S+ is \d+ ms (ahead of|behind) the/,
    },
  },
  Processes: {
    fails: {
      'none has the role `worker`, or none the role `vault`': /^no process has the role (worker|vault): /,
    },
    warns: {
      'fewer than two': /^(no process is at work|\S+ is the only process at work)$/,
      'several versions': /^processes of \d versions are at work$/,
    },
  },
  Files: {
    fails: {
      'the folder or bucket cannot be written': /^TILLWRIGHT_(HOME \(.*\)|BLOBS) cannot be written/,
      'it does not give back what was written': /^TILLWRIGHT_(HOME \(.*\)|BLOBS) does not give back/,
    },
    warns: {
      'a folder, with a database that several processes share': /^TILLWRIGHT_HOME \(.*\) works, but is a folder/,
    },
  },
  Processors: {
    fails: {
      'a secret does not open': /^the (webhook )?secret of the processor \S+ of \S+ does not open/,
      'a secret is for tests': /^the processor \S+ of \S+ has a secret that is not for production$/,
      'a payment flow uses a simulated processor': /^The payment flow \S+ has the simulated processor/,
    },
    warns: { 'there is none': /^there is no processor/ },
  },
  'Webhooks and keys': {
    fails: { 'an endpoint is not on `https://`': /^the webhook endpoint \S+ is not on https/ },
    warns: {
      'an endpoint is disabled': /^the webhook endpoint \S+ is disabled/,
      'a publishable key works on pages without `https://`': /^the publishable key \S+ works on pages without https/,
      'a key expires within two weeks': /^the key \S+ expires within two weeks$/,
    },
  },
  "Public addresses (API, vault, plugins' wildcard, promoted domains)": {
    fails: {
      'a name has no address': / has no address in DNS$/,
      'no trusted certificate': /: no trusted HTTPS at /,
      'one ends within three days': /: the certificate of \S+ is valid for -?\d+ days$/,
      '`/readyz` does not answer': /\/readyz does not answer/,
      '`/readyz` does not say ready': /\/readyz answers \d+$/,
      'the proxy is not trusted': /^TILLWRIGHT_TRUSTED_PROXIES: requests through the public address/,
      'metrics are public': /^the metrics are public at /,
    },
    warns: {
      'a certificate ends within three weeks': /: the certificate of \S+ is valid for \d+ days$/,
      'the proxy could not be tried': /^TILLWRIGHT_TRUSTED_PROXIES: could not be tried/,
      "the platform's own ports answer without HTTPS": /^TILLWRIGHT_(VAULT_)?PORT: port \d+ answers at /,
    },
  },
} as const satisfies Record<string, Area>

/** The settings of a production platform at addresses where nothing answers, with keys of its own. */
export function productionSettings(home: string): Record<string, string> {
  return {
    TILLWRIGHT_ENVIRONMENT: 'production',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_API_URL: 'https://localhost:2',
    TILLWRIGHT_VAULT_URL: 'https://localhost:3',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.invalid',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  }
}

type AreaName = keyof typeof goingLive

interface Diagnosed {
  code: number | null
  fails: string[]
  warns: string[]
  oks: string[]
  findings: Finding[]
}

/** The doctor of production for the tests of a file. */
interface TestedDoctor {
  /**
   * Runs `tillwright doctor --production` in this process.
   *
   * @throws If a finding is not on the page "Going live" at its level.
   */
  diagnosed(settings: Readonly<Record<string, string>>): Promise<Diagnosed>
  /**
   * The same in a process of its own, ten times as slow, for what a process has from its start: the certificates that it
   * trusts, its limits, its clock.
   *
   * @param shell Done in the process before, such as `ulimit -n 1024`.
   */
  diagnosedApart(settings: Readonly<Record<string, string>>, shell?: string): Promise<Diagnosed>
  /** Checks of these areas of the page that nothing has made warn or fail so far. */
  unseen(...areas: AreaName[]): string[]
}

const MAIN = join(import.meta.dirname, '../main.ts')

export function testedDoctor(): TestedDoctor {
  const seen = new Set<string>()
  const read = (code: number | null, out: string): Diagnosed => {
    const findings: Finding[] = JSON.parse(out).findings
    for (const finding of findings) for (const name of onPage(finding)) seen.add(name)
    const of = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).map(({ what }) => what)
    return { code, fails: of('fail'), warns: of('warn'), oks: of('ok'), findings }
  }
  return {
    async diagnosed(settings) {
      const { code, out } = await runCommand(['doctor', '--production', '--json'], settings)
      return read(code, out)
    },
    async diagnosedApart(settings, shell = ':') {
      const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settings }
      const doctor = `${shell}; exec "$0" "$1" doctor --production --json`
      const child = spawn('sh', ['-c', doctor, process.execPath, MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return read(child.exitCode, out)
    },
    unseen: (...areas) =>
      checks.filter(({ area, name }) => areas.some((each) => each === area) && !seen.has(name)).map(({ name }) => name),
  }
}

/** The checks that the page has for a finding, which are several for some. */
export function onPage({ level, what, fix }: Finding): string[] {
  if (level === 'ok') return []
  const said = [what, `${what}\n${fix}`]
  const found = checks.filter((check) => check.level === `${level}s` && said.some((each) => check.pattern.test(each)))
  if (found.length === 0) throw new Error(`The page "Going live" does not say that it ${level}s: ${what}`)
  return found.map(({ name }) => name)
}

const areas: [string, Area][] = Object.entries(goingLive)
const checks = areas.flatMap(([area, of]) =>
  (['fails', 'warns'] as const).flatMap((level) =>
    Object.entries(of[level]).map(([check, pattern]) => ({
      area,
      level,
      name: `${area}, ${level}: ${check}`,
      pattern,
    })),
  ),
)
