import { addressOf, type OperationName, operationOf } from '../api/client.ts'
import { Copy } from '../design/controls.tsx'
import { text } from './text.ts'

/** The request that answers what a page shows, for a terminal and for a program. */
export function ApiCall({ operation: name, input }: { operation: OperationName; input: object }) {
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
    <details class="card call">
      <summary>{text('call.title')}</summary>
      <div class="inside">
        <p>{text('call.hint')}</p>
        <pre class="code">{curl}</pre>
        <Copy value={curl.replaceAll(' \\\n ', '')} />
        <pre class="code">{typescript}</pre>
      </div>
    </details>
  )
}
