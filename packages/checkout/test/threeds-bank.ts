import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type Listening } from './listen.ts'

/** Server-to-server channel between the bank and the 3DS server; sessions go by their transaction id. */
export interface BankLine {
  /** Whether the method page never comes back. */
  hangs(id: string): boolean
  notificationUrl(kind: 'method' | 'notify', id: string): string
  decide(id: string, isRight: boolean): void
}

/** A bank with a method page at `/method` and a page that asks for a code at `/challenge`; 1234 is right. */
export function startBank(line: BankLine): Promise<Listening> {
  return listen(createServer((request, response) => void route(request, response)))

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const [method, creq, code] = ['threeDSMethodData', 'creq', 'code'].map((name) => fields.get(name))
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    if (method) response.end(methodPage(method))
    else if (creq && code) response.end(decided(creq, code))
    else response.end(codePage(creq ?? ''))
  }

  function methodPage(message: string): string {
    const id = transactionOf(message)
    return line.hangs(id)
      ? '<!doctype html>'
      : autoPost(line.notificationUrl('method', id), 'threeDSMethodData', message)
  }

  function decided(creq: string, code: string): string {
    const id = transactionOf(creq)
    line.decide(id, code === '1234')
    return autoPost(line.notificationUrl('notify', id), 'cres', creq)
  }
}

function transactionOf(message: string): string {
  return JSON.parse(Buffer.from(message, 'base64url').toString()).threeDSServerTransID
}

function codePage(creq: string): string {
  return `<!doctype html><html lang="en"><title>Bank</title><meta name="viewport" content="width=device-width">
    <body style="font:16px system-ui;margin:16px"><h1>Your bank</h1><p>Type the code that we have sent you.</p>
    <form method="post" action="/answer"><input type="hidden" name="creq" value="${creq}">
    <label>Code <input name="code" autocomplete="one-time-code"></label> <button>Confirm</button></form><script>document.querySelector('[name=code]').focus()</script></body></html>`
}

function autoPost(url: string, name: string, value: string): string {
  return `<!doctype html><title>Back</title><form method="post" action="${url}"><input name="${name}" value="${value}"></form>
    <script>document.forms[0].submit()</script>`
}
