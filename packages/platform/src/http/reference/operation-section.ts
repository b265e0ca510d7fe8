import type { DescribedOperation, Parameter } from '@tillwright/contract'
import { anchorOf, type PlacedOperation } from './chapters.ts'
import type { Fields } from './fields.ts'
import { escaped, inlineMarkdown, markdown } from './markup.ts'

const placeNames = { path: 'Path', query: 'Query', header: 'Headers' } as const

/**
 * An operation: what it does, sends and answers, beside its samples.
 *
 * @param fields Writes its fields, and collects the objects that it names.
 * @param tries Whether requests can be sent from the page.
 */
export function operationSection(placed: PlacedOperation, fields: Fields, tries: boolean): string {
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
export function snippet(text: string): string {
  return `<div class="snippet"><pre>${escaped(text)}</pre><button type="button" class="copy" hidden>Copy</button></div>`
}

/** What is sent by whom: the credential is in the page for the first two, and typed for the third. */
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

/** An example that a request needs not is left for whoever wants it; an example of a key would be refused the second time. */
function parameterInput({ name, in: place, required, example }: Parameter): string {
  const value = required ? ` value="${escaped(String(example))}" required` : ''
  return `<label>${escaped(name)}<input name="${place}:${escaped(name)}" autocomplete="off" spellcheck="false"${value}></label>`
}
