import { hash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bodyBudget } from './body-budget.ts'
import { LIFTED_BYTES, OUTLINE_MAX_BYTES, Outliner, placeInBody } from './body-outline.ts'
import { describeContent, describeFiles, type FileEncoding, filesOnDisk } from './lifted-files.ts'
import { spoolBody, type SpooledBody, streamSpooled } from './spooled-body.ts'

const LONG = 'x'.repeat(LIFTED_BYTES + 1)

function outlineOf(pieces: readonly Buffer[]) {
  const outliner = new Outliner({ field: 'assets', maxValues: 1_000 })
  for (const piece of pieces) outliner.add(piece)
  const outline = outliner.end()
  if (typeof outline === 'string') throw new Error(outline)
  return outline
}

/** Cuts bytes into pieces of these lengths, again and again. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let from = 0; from < bytes.length;) {
    const to = from + (lengths[pieces.length % lengths.length] ?? bytes.length)
    pieces.push(Buffer.from(bytes.subarray(from, to)))
    from = to
  }
  return pieces
}

async function spooled(text: string): Promise<SpooledBody> {
  const request = new IncomingMessage(new Socket())
  request.push(text)
  request.push(null)
  const room = bodyBudget({ memoryBytes: 2 ** 26, diskBytes: 2 ** 26 }).enter('account')
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-bodies-'))
  const { body, close } = await spoolBody(request, 2 ** 26, { room, folder })
  onTestFinished(close)
  return body
}

/** A block is valid until the next one comes. */
async function whole(blocks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const block of blocks) copies.push(Buffer.from(block))
  return Buffer.concat(copies)
}

const lengths = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1 })

test('a body that is taken apart wherever it is cut is the body that was sent', () => {
  const content = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(LONG, `"\\${LONG}\\"`, `${LONG}\\\\`, `é"${LONG}`),
  )
  const few = { maxLength: 3 }
  const file = fc.record({ path: fc.string(), content, size: fc.nat() })
  const body = fc.record({
    content,
    name: content,
    assets: fc.array(file, few),
    nested: fc.array(fc.array(file, few), few),
  })
  const read = (sent: object, pieces: readonly number[], indent: number) => {
    const text = Buffer.from(JSON.stringify(sent, null, indent))
    const outline = outlineOf(cut(text, pieces))
    const restored = outline.contents.reduce(
      (json, { mark, start, end }) => json.replace(mark, () => text.toString('utf8', start, end)),
      Buffer.from(outline.text).toString(),
    )
    expect(JSON.parse(restored)).toEqual(JSON.parse(text.toString()))
    return outline
  }
  fc.assert(
    fc.property(body, lengths, fc.nat(2), (sent, pieces, indent) => void read(sent, pieces, indent)),
    { numRuns: 4 },
  )
  const { contents } = read(
    { assets: [{ content: LONG }, { path: LONG, content: `\\"${LONG}` }], content: LONG },
    [7],
    0,
  )
  expect(contents.length).toBe(2) // contents alone
})

test('a content that is decoded wherever it is cut is the file that was sent', () => {
  const anyText = fc.string({ unit: 'binary' }).filter((some) => !some.includes('\0') && some.isWellFormed())
  const escaped = (content: string) =>
    content.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const check = (pieces: readonly Buffer[], encoding: FileEncoding, bytes: Buffer) =>
    expect(describeContent(pieces, encoding)).toEqual({
      size: bytes.length,
      sha256: hash('sha256', bytes),
    })
  fc.assert(
    fc.property(anyText, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (content, pieces) => {
      const bytes = Buffer.from(content)
      const base64 = bytes.toString('base64')
      const texts = [JSON.stringify(content).slice(1, -1), escaped(content)]
      for (const text of texts) check(cut(Buffer.from(text), pieces), 'utf-8', bytes)
      for (const text of [base64, base64.replaceAll('/', String.raw`\/`)])
        check(cut(Buffer.from(text), pieces), 'base64', bytes)
    }),
  )
})

test.for([
  ['without padding', 'YQ'],
  ['with padding in the middle', 'YQ==YQ=='],
  ['with a line break', String.raw`YWJj\nYWJj`],
  ['with bits that mean nothing', 'YR=='],
  ['of another alphabet', 'YWI_'],
  ['that is no text of ASCII', 'YWJé'],
] as const)('base64 %s is none, wherever it is cut', ([, content]) => {
  for (const length of [1, 2, 3, 4, 5, 100]) {
    expect(describeContent(cut(Buffer.from(content), [length]), 'base64')).toBeNull()
  }
})

test.for([
  ['half of a pair', String.raw`a\ud83d`, 'half of a surrogate pair'],
  ['half of a pair before another character', String.raw`\ud83da`, 'half of a surrogate pair'],
  ['a NUL', String.raw`a\u0000b`, 'NUL'],
  ['a bare line break', 'a\nb', 'must be escaped'],
  ['an escape that is none', String.raw`a\xb`, 'wrong escape'],
  ['an escape that is cut off', String.raw`ab\u00`, 'wrong escape'],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xe2, 0x82]), 'not valid UTF-8'],
] as const)('a content with %s is refused, wherever it is cut', ([, content, words]) => {
  for (const length of [1, 2, 3, 7, 100]) {
    expect(() => describeContent(cut(Buffer.from(content), [length]), 'utf-8')).toThrow(words)
  }
})

test('a card number in a file is found wherever the file is cut, and longer numbers are none', () => {
  const describe = (content: string, length: number) => describeContent(cut(Buffer.from(content), [length]), 'utf-8')
  const numbers = '4111 1112 '.repeat(1_000) // a table that goes on for longer than what waits
  for (const length of [1, 3, 5, 16, 5_000]) {
    for (const card of ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242']) {
      expect(() => describe(`const a = '${card}'`, length)).toThrow('card number')
      expect(() => describe(card, length)).toThrow('card number')
    }
    expect(describe(`${'4242424242424242'.repeat(3)} a4242424242424242`, length)).not.toBeNull()
    if (length > 1_000) expect(describe(numbers, length)).not.toBeNull()
  }
})

test('a file on disk is read again as it was described', async () => {
  const contents = ['short', LONG.repeat(100), 'ünïcödé "quoted" \n'.repeat(9_000)]
  const assets = contents.map((content) => ({ content, encoding: 'utf-8' }))
  const text = JSON.stringify({ assets })
  const body = await spooled(text)
  const outline = outlineOf([Buffer.from(text)])
  const parsed = JSON.parse(Buffer.from(outline.text).toString())
  const files = filesOnDisk(describeFiles(parsed, outline, { spooled: body, field: 'assets' }), body)
  expect(files.size).toBe(2)
  for (const [index, content] of contents.entries()) {
    const file = files.get(parsed.assets[index].content)
    if (index === 0) expect([file, parsed.assets[0].content]).toEqual([undefined, 'short'])
    else {
      expect(file?.described).toEqual({ size: Buffer.byteLength(content), sha256: hash('sha256', content) })
      expect((await whole(file?.bytes() ?? streamSpooled(body, { start: 0, end: 0 }))).toString()).toBe(content)
    }
  }
  expect((await whole(streamSpooled(body, { start: 13, end: 40 }))).toString()).toBe(text.slice(13, 40))
})

test('a position in an outline is reported as the position in the body', () => {
  const text = JSON.stringify({ assets: [{ content: LONG }, { content: LONG }], wrong: 1 })
  const outline = outlineOf([Buffer.from(text)])
  const place = Buffer.from(outline.text).indexOf('wrong')
  expect(placeInBody(outline, place)).toBe(text.indexOf('wrong'))
  expect(placeInBody(outline, 5)).toBe(5)
})

test('what is not the content of a file, and too many values, end the reading', () => {
  const end = (text: string) => {
    const outliner = new Outliner({ field: 'assets', maxValues: 1_000 })
    outliner.add(Buffer.from(text))
    return outliner.end()
  }
  const long = 'x'.repeat(OUTLINE_MAX_BYTES)
  for (const body of [{ assets: [{ path: long }] }, { assets: [[{ content: long }]] }])
    expect(end(JSON.stringify(body))).toBe('too_long')
  expect(end(' '.repeat(OUTLINE_MAX_BYTES + 1))).toBe('too_long')
  expect(end(JSON.stringify({ assets: Array.from({ length: 1_002 }, () => 1) }))).toBe('too_many_values')
  expect(typeof end(JSON.stringify({ assets: [{ content: long }] }))).toBe('object')
})
