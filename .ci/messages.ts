import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorKinds } from '../packages/contract/src/errors.ts'
import { findMessages, type Message } from './messages/find-messages.ts'

const root = join(import.meta.dirname, '..')
const PAGE = 'apps/docs/pages/reference/messages.md'

const introduction = `# Messages

Every message that an error of the API can have, by its code, and every rule of a field. Branch on codes: messages may be
reworded. Names in braces stand for parts that depend on the request. What a code means is at \`/docs/errors\` of a platform.

This page is generated from the source by \`pnpm run messages\`; \`pnpm check\` fails if it is out of date.
`

const ofRules = `## Rules of fields

A rule continues the name of the field that breaks it: \`variants[0].name must not be empty.\` Their code is
\`parameter_invalid\`, \`parameter_missing\` for a field that was not sent, or the one that the field has of its own, such as
\`amount_invalid\`. A field that is required and has no rule about it \`is required\`.
`

/** The page of all messages, made from the sources of the platform and of the contract. */
function messagesPage(): string {
  const files = globSync('packages/{platform,contract}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const messages = findMessages(files.toSorted().map((file) => join(root, file)))
  const codes = Object.keys(errorKinds) as ErrorCode[] // the keys of the table are its codes
  const sections = codes.map((code) => section(code, messages)).filter((text) => text !== '')
  const rules = listOf(messages.filter((message) => message.codes.length === 0))
  return `${introduction}\n## Errors\n\n${sections.join('\n')}\n${ofRules}\n${rules}`
}

function section(code: ErrorCode, messages: readonly Message[]): string {
  const own = messages.filter(({ codes }) => codes.includes(code))
  return own.length === 0 ? '' : `### \`${code}\`, ${errorKinds[code].status}\n\n${listOf(own)}`
}

function listOf(messages: readonly Message[]): string {
  const texts = new Set(messages.map(({ text }) => text.replaceAll('\n', ' ')).filter((text) => /[a-z] /.test(text)))
  return [...texts]
    .toSorted()
    .map((text) => `- ${text.replaceAll(/[<>|*_]/g, String.raw`\$&`)}\n`)
    .join('')
}

if (import.meta.main) {
  const page = messagesPage()
  const file = join(root, PAGE)
  if (process.argv.includes('--write')) writeFileSync(file, page)
  else if (readFileSync(file, 'utf8') !== page) {
    console.log(`${PAGE} is out of date: run \`pnpm run messages\`, and read what has changed`)
    process.exitCode = 1
  }
}
