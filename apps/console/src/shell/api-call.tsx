import { addressOf, type OperationName, operationOf } from '../api/client.ts'
import { Copy, Menu } from '../design/controls.tsx'
import { text } from './text.ts'

interface ApiCallProps {
  operation: OperationName
  input: object
}

/** The request that answers what a page shows, or does what it does, for a terminal and for a program. */
export function ApiCall(props: ApiCallProps) {
  return (
    <details class="card call">
      <summary>{text('call.title')}</summary>
      <div class="inside">
        <Requests {...props} />
      </div>
    </details>
  )
}

/** The same among the actions of a page that goes on while one scrolls, such as a list. */
export function ApiCallMenu(props: ApiCallProps) {
  return (
    <Menu label="API">
      <div class="call-sheet">
        <Requests {...props} />
      </div>
    </Menu>
  )
}

function Requests({ operation: name, input }: ApiCallProps) {
  const operation = operationOf(name)
  const { path, body } = addressOf(operation, input)
  const sent =
    body === undefined || body === '{}'
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`
  const verb = operation.method === 'GET' ? '' : ` -X ${operation.method}`
  const curl = `curl${verb} ${location.origin}${path} \\\n  -H "Authorization: Bearer $TILLWRIGHT_API_KEY"${sent}`
  const typescript = `await client.${name}(${JSON.stringify(input)})`
  return (
    <>
      <p>{text(operation.method === 'GET' ? 'call.hint' : 'call.does')}</p>
      <pre class="code">{curl}</pre>
      <Copy value={curl.replaceAll(' \\\n ', '')} />
      <pre class="code">{typescript}</pre>
    </>
  )
}
