import { exampleId, openApi, type OpenApiDocument, type DescribedOperation, type Parameter } from '@tillwright/contract'
import { SharedBytes } from '../../runtime/index.ts'
import { type Chapter, chaptersOf, anchorOf, type PlacedOperation } from './chapters.ts'
import { Fields } from './fields.ts'
import { type Contents, layout, referencePolicy } from './layout.ts'
import { escaped, markdown, inlineMarkdown } from './markup.ts'

/** The account of a local platform, for requests from the reference page. */
export interface LocalAccount {
  /** A test key without roles. */
  apiKey: string
  publishableKey: string
  accountId: string
  storeId: string
  productId: string
  paymentFlowId: string
  funnelId: string
  /** The step that the funnel begins with. */
  stepId: string
}

/** The pages of the reference, each made when it is asked for first. */
export interface Reference {
  policy: string
  /**
   * A page for everybody.
   *
   * @param chapter `null` for the first page.
   * @returns `null` where there is no such chapter.
   */
  shared(chapter: string | null): SharedBytes | null
  /** The same with an account's key in it, from which requests can be sent. */
  trying(chapter: string | null, account: LocalAccount): string | null
}

/** The facts of a platform that its reference shows. */
interface ReferenceFacts {
  version: string
  environment: string
  apiUrl: string
  vaultUrl: string
}

/** Makes the reference from the contract. It loads nothing from anywhere. */
export function makeReference({ version, environment, apiUrl, vaultUrl }: ReferenceFacts): Reference {
  let read: { document: OpenApiDocument; contents: Contents } | null = null
  const known = () => {
    if (read !== null) return read
    const document = openApi(version, [apiUrl], [vaultUrl])
    const chapters = chaptersOf(document)
    return (read = { document, contents: { chapters, events: Object.keys(document.webhooks), version, environment } })
  }
  const write = (name: string | null, tries: boolean): string | null => {
    const { document, contents } = known()
    if (name === null) return firstPage(document, contents)
    const chapter = contents.chapters.find((each) => each.name === name)
    return chapter === undefined ? null : chapterPage(chapter, { document, contents, tries })
  }
  const shared = new Map<string | null, SharedBytes>()
  const trying = new Map<string | null, string>()
  return {
    policy: referencePolicy,
    shared(name) {
      const found = shared.get(name)
      const html = found === undefined ? write(name, false) : null
      if (html === null) return found ?? null
      const made = new SharedBytes(html)
      shared.set(name, made)
      return made
    },
    trying(name, account) {
      const html = trying.get(name) ?? write(name, true)
      if (html === null) return null
      trying.set(name, html)
      return withAccount(html, account)
    },
  }
}

function firstPage(document: OpenApiDocument, contents: Contents): string {
  const list = contents.chapters.map(
    ({ name, title, description }) =>
      `<li><a href="/docs/${name}">${escaped(title)}</a>: ${escaped(description.replace('Not in the reference: ', ''))}</li>`,
  )
  const main = `<h1>Tillwright API</h1>${markdown(document.info.description)}<h2 id="chapters">Chapters</h2><ul>${list.join('')}</ul>`
  const description =
    'Stores, products, promotions, cards, payments, 3-D Secure, funnels, plugins and events, over HTTP and JSON.'
  return layout({ chapter: null, title: 'Tillwright API reference', description, main }, contents)
}

interface Written {
  document: OpenApiDocument
  contents: Contents
  tries: boolean
}

function chapterPage(
  { name, title, description, operations }: Chapter,
  { document, contents, tries }: Written,
): string {
  const fields = new Fields(document.components.schemas)
  const sections =
    operations.length > 0
      ? operations.map((placed) => operationSection(placed, fields, tries))
      : eventSections(document, fields)
  const main = `<h1>${escaped(title)}</h1>${markdown(description)}${sections.join('\n')}${objectSections(fields)}`
  return layout({ chapter: name, title: `${title}: Tillwright API reference`, description, main }, contents)
}

function eventSections({ webhooks }: OpenApiDocument, fields: Fields): string[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json']
    const [payload, { properties }] = schema.allOf
    return `<section class="operation" id="${type}" tabindex="-1">
<div class="words"><h2><a href="#${type}">${type}</a></h2>${markdown(post.description)}
<h3>Body</h3>${fields.body(payload)}<h3><code>data.properties</code></h3>${fields.body(properties.data.properties.properties)}</div>
<div class="samples"><details class="sample" open><summary>Body</summary>${snippet(JSON.stringify(example, null, 2))}</details></div>
</section>`
  })
}

/** Every object that the page names, and those that these name. */
function objectSections(fields: Fields): string {
  const sections: string[] = []
  for (const name of fields.named)
    // grows while they are written
    sections.push(
      `<section class="object" id="${name}" tabindex="-1"><h2><a href="#${name}">${name}</a></h2>${fields.ofNamed(name)}</section>`,
    )
  return sections.join('\n')
}

/** The kind of object of each id. */
const kinds = {
  accountId: 'account',
  storeId: 'store',
  productId: 'product',
  paymentFlowId: 'paymentFlow',
  funnelId: 'funnel',
  stepId: 'funnelStep',
} as const

/** The examples name objects that do not exist. Where the local account has one of the kind, its id takes their place. */
function withAccount(html: string, { apiKey, publishableKey, ...ids }: LocalAccount): string {
  const data = JSON.stringify({ apiKey, publishableKey }).replaceAll('<', String.raw`\u003c`)
  const filled = Object.entries(kinds).reduce(
    (text, [name, kind]) => text.replaceAll(exampleId(kind), ids[name as keyof typeof kinds]), // its own keys
    html,
  )
  return filled.replace('<script>', `<script type="application/json" id="account">${data}</script>\n<script>`)
}

const placeNames = { path: 'Path', query: 'Query', header: 'Headers' } as const

/**
 * An operation: what it does, sends and answers, next to its samples.
 *
 * @param fields Writes its fields, and collects the objects that it names.
 * @param tries Whether requests can be sent from the page.
 */
function operationSection(placed: PlacedOperation, fields: Fields, tries: boolean): string {
  const { method, path, operation } = placed
  const anchor = escaped(anchorOf(placed))
  return `<section class="operation" id="${anchor}" tabindex="-1">
<div class="words">
<h2><a href="#${anchor}">${escaped(operation.summary)}</a></h2>
<p class="address"><b>${method}</b> <code>${escaped(path)}</code></p>
${markdown(operation.description)}
${parameterLists(operation, fields)}
${requestBody(operation, fields)}
${answers(operation, fields)}
</div>
<div class="samples">
${samples(operation)}
${answerExample(operation)}
${tries ? tryForm(placed) : ''}
</div>
</section>`
}

function parameterLists({ parameters }: DescribedOperation, fields: Fields): string {
  const places = Object.entries(placeNames) as ['path' | 'query' | 'header', string][] // the keys of the table
  return places
    .map(([place, title]) => {
      const found = parameters.filter((parameter) => parameter.in === place)
      if (found.length === 0) return ''
      const items = found.map(({ name, schema, description, required }) =>
        fields.field(name, { ...schema, description }, required),
      )
      return `<h3>${title}</h3><ul class="fields">${items.join('')}</ul>`
    })
    .join('')
}

function requestBody({ requestBody: body }: DescribedOperation, fields: Fields): string {
  const [content] = Object.values(body?.content ?? {})
  if (content === undefined) return ''
  return `<h3>Body</h3>${inlineMarkdown(body?.description ?? '')}${fields.body(content.schema)}`
}

/** The success with its body, what is not sent again, then what each error means. */
function answers({ responses }: DescribedOperation, fields: Fields): string {
  const all = Object.entries(responses)
  const successes = all.filter(([status]) => Number(status) < 400)
  const [, success] = successes[0] ?? []
  const [content] = Object.values(success?.content ?? {})
  const schema = content?.['x-message-data'] ?? content?.schema
  const failures = all
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => `<dt>${status}</dt><dd>${markdown(description)}</dd>`)
  return `<h3>Answer</h3>
<p>${successes.map(([status, { description }]) => `<code>${status}</code> ${inlineMarkdown(description)}`).join('<br>')}</p>
${schema === undefined ? '' : fields.body(schema)}
<details class="errors"><summary>Errors</summary><dl>${failures.join('')}</dl></details>`
}

function samples({ operationId, 'x-codeSamples': all }: DescribedOperation): string {
  return all
    .map(
      ({ label, source }, index) =>
        `<details class="sample" name="${operationId}"${index === 0 ? ' open' : ''}><summary>${label}</summary>${snippet(source)}</details>`,
    )
    .join('')
}

function answerExample({ responses }: DescribedOperation): string {
  const [status, success] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []
  const [content] = Object.values(success?.content ?? {})
  if (content?.example === undefined) return ''
  const text = typeof content.example === 'string' ? content.example : JSON.stringify(content.example, null, 2)
  return `<details class="sample" open><summary>Answer, ${status}</summary>${snippet(text)}</details>`
}

/** A text to copy. */
function snippet(text: string): string {
  return `<div class="snippet"><pre>${escaped(text)}</pre><button type="button" class="copy" hidden>Copy</button></div>`
}

/** Labels of the credentials' fields by security scheme; empty for credentials that the page has already. */
const tried: Readonly<Record<string, string>> = { apiKey: '', publishableKey: '', sessionToken: 'Session token' }

/** A form that sends the request. Event streams and files are for programs. */
function tryForm({ method, path, operation }: PlacedOperation): string {
  const { parameters, security, requestBody: body, responses } = operation
  const scheme = Object.keys(security[0] ?? {})[0] ?? ''
  const json = body?.content['application/json']
  const isStream = Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined)
  const token = tried[scheme]
  if (token === undefined || isStream || (body !== undefined && json === undefined)) return ''
  return `<details class="try"><summary>Test request</summary>
<form data-method="${method}" data-path="${escaped(path)}" data-scheme="${scheme}">
${token === '' ? '' : `<label>${token}<input name="token" autocomplete="off" required></label>`}
${parameters.map(parameterInput).join('')}
${json === undefined ? '' : `<label>Body<textarea name="body" rows="12" spellcheck="false">${escaped(JSON.stringify(json.example, null, 2))}</textarea></label>`}
<button>Send ${method}</button>
<output></output>
</form></details>`
}

/** Examples of optional parameters are not filled in: that of an idempotency key would be refused the second time. */
function parameterInput({ name, in: place, required, example }: Parameter): string {
  const value = required ? ` value="${escaped(String(example))}" required` : ''
  return `<label>${escaped(name)}<input name="${place}:${escaped(name)}" autocomplete="off" spellcheck="false"${value}></label>`
}
