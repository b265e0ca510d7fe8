import { exampleId, openApi, type OpenApiDocument } from '@tillwright/contract'
import { SharedBytes } from '../../runtime/index.ts'
import { type Chapter, chaptersOf } from './chapters.ts'
import { Fields } from './fields.ts'
import { type Contents, layout, referencePolicy } from './layout.ts'
import { escaped, markdown } from './markup.ts'
import { operationSection, snippet } from './operation-section.ts'

/** The account of a local platform, for requests from the reference page. */
export interface LocalAccount {
  apiKey: string
  publishableKey: string
  accountId: string
  storeId: string
  productId: string
  paymentFlowId: string
  funnelId: string
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
