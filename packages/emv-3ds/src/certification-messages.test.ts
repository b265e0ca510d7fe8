import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkMessage } from './check-message.ts'
import type { EmvMessage } from './messages.ts'
import { mutations, without, written, type Mutation } from './testing/mutate.ts'

/**
 * Real messages from the certifications of three card schemes, and a third-party table of fields. They are not ours to
 * publish, so they are read from `../shared/vectors` next to the repository, or from `TILLWRIGHT_EMV_VECTORS`.
 */
const nextToRepository = join(import.meta.dirname, '../../../../shared/vectors')
const folder = process.env['TILLWRIGHT_EMV_VECTORS'] ?? nextToRepository
const messagesFile = z.object({
  messages: z.array(z.object({ case: z.string(), message: z.record(z.string(), z.json()) })),
})
const fieldsFile = z.object({
  tables: z.record(
    z.string(),
    z.array(z.object({ name: z.string(), ch: z.string(), type: z.string(), inc: z.string(), req: z.string() })),
  ),
})

const messages = read('emv-3ds-messages.json', messagesFile)?.messages ?? []
const tables = read('emv-3ds-fields.json', fieldsFile)?.tables ?? {}
const found = messages.length > 0 && Object.keys(tables).length > 0
const requests = new Map(messages.filter(isRequest).map(({ case: file, message }) => [caseOf(file), message]))
/** The titles show if there was nothing to check. */
const checked = found
  ? `${messages.length} messages from real certifications`
  : `NOT CHECKED, none in ${folder}: messages`

test(`${checked} are all valid, also as responses to their requests`, () => {
  const refused = messages.flatMap(({ case: file, message }) => {
    const fault = faultOf(JSON.stringify(message), file)
    return fault === null ? [] : [{ file, ...fault }]
  })
  expect(refused).toEqual([])
  const counted = messages.filter(({ message }) => !['RRes', 'Erro'].some((type) => type === message['messageType']))
  expect(counted.length).toBe(found ? 142 : 0)
})

test(`${checked} are refused after each of thousands of mutations, with the right code`, () => {
  let tried = 0
  for (const { case: file, message } of messages) {
    const rows = rowsOf(message)
    const certified = message as EmvMessage // the test above checks this
    const present = rows.map(({ name }) => name).filter((name) => message[name] !== undefined)
    const all = [...mutations(certified, present), ...rows.flatMap((row) => mutationsOf(certified, row))]
    for (const { title, text, code, field } of all) {
      const fault = faultOf(text, file)
      expect(fault?.code, `${file}: ${title}`).toBe(code)
      if (field !== null) expect(fault?.detail, `${file}: ${title}`).toContain(field)
      tried++
    }
  }
  expect(tried).toBeGreaterThanOrEqual(found ? 2_000 : 0)
})

type Row = z.output<typeof fieldsFile>['tables'][string][number]

function read<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> | null {
  const file = join(folder, name)
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}

/** The result of the check for a message of a case, given the request of the same case. */
function faultOf(text: string, file: string): { code: unknown; detail: unknown } | null {
  const to = requests.get(caseOf(file))
  const answers = /(?:ares|creq|cres|rreq|rres)\.json$/.test(file)
  const outcome = checkMessage(text, to !== undefined && answers ? { to: to as EmvMessage } : {}) // certified, as above
  if (outcome.outcome === 'valid') return null
  return { code: outcome.erro['errorCode'], detail: outcome.erro['errorDetail'] }
}

function isRequest({ message }: z.output<typeof messagesFile>['messages'][number]): boolean {
  return message['messageType'] === 'AReq'
}

/** The folder of a case, which contains all messages of one transaction. */
function caseOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'))
}

const channels = new Map<unknown, string>([
  ['01', 'APP'],
  ['02', 'BRW'],
  ['03', '3RI'],
])

/** The third-party table's rows for a message: those of its channel, without columns about the table itself. */
function rowsOf(message: Record<string, unknown>): Row[] {
  const name = z.string().parse(message['messageType']).toLowerCase()
  const rows = tables[`${name}_210`] ?? tables[name] ?? []
  const channel = channels.get(message['deviceChannel'])
  return rows.filter((row) => {
    if (['messageType', 'messageVersion', 'ds'].includes(row.name)) return false
    return channel === undefined ? message[row.name] !== undefined : row.ch.split(' ').includes(channel)
  })
}

/**
 * Mutations that must be refused according to the third-party table: a missing required field, a text that is too long,
 * an undefined value.
 */
function mutationsOf(message: EmvMessage, { name, inc, req }: Row): Mutation[] {
  if (message[name] === undefined) return []
  const made: Mutation[] = []
  if (inc === 'Required')
    made.push({ title: `without ${name}`, text: without(message, name), code: '201', field: name })
  const most = /Max length: (\d+)/.exec(req)?.[1] ?? /^Length: (\d+)/.exec(req)?.[1]
  if (most !== undefined && typeof message[name] === 'string') {
    const text = written(message, name, message[name].padEnd(Number(most) + 1, '0'))
    made.push({ title: `${name} too long`, text, code: '203', field: name })
  }
  if (/One of|Regexp|Format/.test(req)) {
    made.push({ title: `${name} in another format`, text: written(message, name, '~?'), code: '203', field: name })
  }
  return made
}
