import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresBinaries } from '../postgres-binaries.ts'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'

/** A program of others whose configuration the documentation shows. */
interface OtherProgram {
  /** Selects its snippets by language, and by title if several programs have that language. */
  language: string
  title?: string
  /** Its executable, `null` where it is not installed. */
  find: (folder: string) => string | null
  /** Has it judge a file that lies in the folder where it runs. */
  words: (file: string) => readonly string[]
  /** Makes a fragment a whole file. */
  whole?: (code: string) => string
}

/** nginx makes them when it is asked, too. */
const scratchFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((of) => `${of}_temp_path ${of};`)
  .join(' ')

/** Debian's packages are called the same, but for `promtool`, which is in `prometheus`. */
export const otherPrograms = {
  nginx: {
    language: 'nginx',
    find: () => installed('nginx'),
    words: (file) => ['-t', '-q', '-p', '.', '-g', 'pid nginx.pid; error_log stderr;', '-c', file],
    whole: (code) => `events {}\nhttp {\naccess_log off;\n${scratchFolders}\n${code}}\n`,
  },
  haproxy: {
    language: 'haproxy',
    find: () => installed('haproxy'),
    words: (file) => ['-c', '-q', '-f', file],
    whole: (code) =>
      `defaults\n  mode http\n  timeout client 1m\n  timeout connect 1m\n  timeout server 1m\n${code}\nbackend vault\n  server one 127.0.0.1:4401\n`,
  },
  caddy: {
    language: 'caddy',
    find: () => installed('caddy'),
    words: (file) => ['adapt', '--adapter', 'caddyfile', '--config', file],
  },
  promtool: {
    language: 'yaml',
    title: 'prometheus.yml',
    find: () => installed('promtool'),
    words: (file) => ['check', 'config', file],
  },
  postgresql: {
    language: 'ini',
    title: 'postgresql.conf',
    find: (folder) => {
      const binaries = findPostgresBinaries(folder)
      return 'missing' in binaries ? null : join(binaries.folder, 'postgres')
    },
    words: (file) => ['-C', 'wal_level', '-D', '.', '-c', `config_file=${file}`],
  },
} as const satisfies Record<string, OtherProgram>
export type OtherProgramName = keyof typeof otherPrograms

function installed(name: string): string | null {
  return ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((place) => join(place, name)).find(existsSync) ?? null
}

/** Whether a snippet is configuration of a program. */
export function isOf(name: OtherProgramName, { language, title }: PageSnippet): boolean {
  const program: OtherProgram = otherPrograms[name]
  return language === program.language && (program.title === undefined || title === program.title)
}

/**
 * Has a program judge the snippets that are its configuration, in a folder that gets the certificates and rules they name.
 *
 * @returns The program's errors; `null` if it, or the `openssl` that makes the certificates, is not installed.
 */
export function askProgram(
  name: OtherProgramName,
  { snippets, folder }: { snippets: readonly PageSnippet[]; folder: string },
): readonly string[] | null {
  const program: OtherProgram = otherPrograms[name]
  const path = program.find(folder)
  if (path === null || installed('openssl') === null) return null
  if (!existsSync(join(folder, 'alerts.yml'))) makeFiles(folder)
  return snippets
    .filter((snippet) => isOf(name, snippet))
    .flatMap(({ code, place, line }) => {
      const file = `${name}-${line}.conf`
      writeFileSync(join(folder, file), program.whole?.(code) ?? code)
      const { status, stdout, stderr } = spawnSync(path, program.words(file), { cwd: folder, encoding: 'utf8' })
      return status === 0 ? [] : [`${place} ${name} says: ${stdout}${stderr}`]
    })
}

function makeFiles(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'vault.key']
  const words = ['req', '-x509', ...key, '-days', '2', '-subj', '/CN=vault', '-out', 'directory-authorities.pem']
  execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const parts = ['directory-authorities.pem', 'vault.key'].map((name) => readFileSync(join(folder, name), 'utf8'))
  writeFileSync(join(folder, 'vault.pem'), parts.join(''))
  copyFileSync(join(root, 'operate/prometheus/alerts.yml'), join(folder, 'alerts.yml'))
}
