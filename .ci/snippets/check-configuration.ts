import { eventTypes } from '../../packages/contract/src/index.ts'
import { googlePaySources, pagePolicy } from '../../packages/contract/src/pages/page-policy.ts'
import { readConfig, settingsOfRooms } from '../../packages/platform/src/config.ts'
import type { PageSnippet } from './read-snippets.ts'

/** Checks a snippet. `others` are the other snippets of its page. Returns a sentence for each problem. */
type Reader = (snippet: PageSnippet, others: readonly PageSnippet[]) => readonly string[]

const readers: Readonly<Record<string, Reader>> = {
  env: ({ code }) => checkSettings(code),
  csp: ({ code }) => checkPolicy(code),
  sse: ({ code }) => checkStream(code),
  html: ({ code }, others) => checkDocument(code, others),
}

/** The languages of the snippets that are checked here. */
export const configurationLanguages: readonly string[] = Object.keys(readers)

/**
 * Checks settings by the platform that would start with them, policies and streams by what pages are served with and the
 * platform sends, and documents by what they load. What another program reads, that program reads: `other-programs.ts`.
 */
export function checkConfiguration(snippets: readonly PageSnippet[]): string[] {
  return snippets.flatMap((snippet) => {
    const others = snippets.filter(({ page }) => page === snippet.page)
    const complaints = readers[snippet.language]?.(snippet, others) ?? []
    return complaints.map((complaint) => `${snippet.place} ${complaint}`)
  })
}

const variables = new Set(Object.values(settingsOfRooms).flatMap((room) => Object.keys(room)))

/** Each variable is the platform's, with a value that it takes in production. One that stands twice is a choice. */
function checkSettings(code: string): readonly string[] {
  const lines = code.split('\n').filter((line) => /^[^#\s]/.test(line))
  return lines.flatMap((line) => {
    const [, name = '', quoted, plain] = /^([A-Z_]+)=(?:'([^']*)'|([^\s'#]+))(?:\s+#.*)?$/.exec(line) ?? []
    if (!variables.has(name)) return [`sets \`${line}\`, which the platform does not read.`]
    return complaintsOf(name, quoted ?? plain ?? '')
  })
}

function complaintsOf(name: string, value: string): readonly string[] {
  try {
    readConfig({ TILLWRIGHT_ENVIRONMENT: 'production', DATABASE_URL: 'postgres://db/shop', [name]: value })
    return []
  } catch (error) {
    // Of the other settings most are missing.
    return String(error)
      .replace(/^\w+: /, '')
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
  }
}

const origins = { apiUrl: 'https://api.example.com', vaultUrl: 'https://vault.example.com' }

/** A policy says nothing that pages of plugins are not served with, and of Google Pay's sources all or none. */
function checkPolicy(code: string): readonly string[] {
  const named = directivesOf(code)
  const served = directivesOf(pagePolicy(origins, undefined, { foreign: googlePaySources }))
  const without = directivesOf(pagePolicy(origins))
  const takesGoogle = code.includes('google.com')
  const strange = Array.from(named, ([name, sources]) => {
    const more = sources.filter((each) => !served.get(name)?.includes(each))
    return more.length === 0 ? [] : [`allows ${name} ${more.join(' ')}, which no page needs.`]
  })
  const lacking = Array.from(served, ([name, sources]) => {
    const google = sources.filter((each) => takesGoogle && without.get(name)?.includes(each) === false)
    const missing = google.filter((each) => named.get(name)?.includes(each) !== true)
    return missing.length === 0 ? [] : [`lacks ${name} ${missing.join(' ')}.`]
  })
  return [...strange, ...lacking].flat()
}

function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = policy.split(';').map((text) => text.trim().split(/\s+/))
  return new Map(directives.filter(([name]) => name !== '').map(([name = '', ...sources]) => [name, sources]))
}

/** Source: HTML Living Standard, "Server-sent events", as far as the platform uses it. */
const streamLines: readonly RegExp[] = [
  /^$/,
  /^retry: \d+$/,
  /^: (?:open|live|alive)$/,
  /^id: evt_\w{22}_\w+$/,
  /^data: \{"id":"evt_\w{22}",.*\}$/,
  new RegExp(`^event: (?:${Object.keys(eventTypes).join('|')})$`),
]

function checkStream(code: string): readonly string[] {
  const wrong = code.split('\n').filter((line) => !streamLines.some((form) => form.test(line)))
  return wrong.map((line) => `shows \`${line}\`, which the platform does not send.`)
}

/** A script is the vault's, or a file that the page has. Scripts that stand in the document are checked for their types. */
function checkDocument(code: string, others: readonly PageSnippet[]): readonly string[] {
  const addresses = Array.from(code.matchAll(/<script\b[^>]*\bsrc="([^"]*)"/g), ([, address = '']) => address)
  const isThere = (address: string) =>
    /^(?:VAULT_URL|https?:\/\/[\w.:]+)\/v1\/tillwright(?:-[0-9a-f]{16})?\.js$/.test(address) ||
    others.some(({ title }) => `/${title}` === address)
  return addresses.filter((address) => !isThere(address)).map((address) => `loads ${address}, which is not there.`)
}
