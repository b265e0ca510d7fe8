/** A window with what a terminal shows, as a document. The colours are named as SGR numbers them. */
export function terminalPage(printed: string, title: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>
    <main><header><i></i><i></i><i></i><span>${escaped(title)}</span></header><pre>${painted(printed)}</pre></main>`
}

const style = `
:root { color-scheme: light dark; --ground: #fbfbfd; --bar: #eceef3; --ink: #1c2230; --dim: #636b7c; --1: #b3202a; --2: #14713d;
  --3: #8a5a00; --6: #0b6a86; --shade: rgb(8 12 24 / 16%) }
@media (prefers-color-scheme: dark) { :root { --ground: #12161f; --bar: #1d2330; --ink: #e6eaf2; --dim: #939db1; --1: #ff8a8f;
  --2: #6fd39a; --3: #f0c674; --6: #7fd3ec; --shade: rgb(0 0 0 / 50%) } }
body { margin: 0; padding: 20px; width: max-content }
main { border-radius: 12px; overflow: hidden; background: var(--ground); color: var(--ink); box-shadow: 0 0 0 1px var(--shade) }
header { display: flex; align-items: center; gap: 8px; padding: 11px 14px; background: var(--bar);
  font: 600 12px system-ui, sans-serif; color: var(--dim) }
header i { width: 11px; height: 11px; border-radius: 50%; background: var(--dim); opacity: .45 }
header span { margin-left: 6px }
pre { margin: 0; padding: 16px 20px 20px; width: 80ch; font: 13.5px/1.35 "DejaVu Sans Mono", ui-monospace, Menlo, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere }
.qr { width: max-content; color: #fff; font-size: 14px; line-height: 16px; letter-spacing: calc(8px - 1ch) }
.bg40 { background: #000 } .c97 { color: #fff }
b { font-weight: 700 } .dim { color: var(--dim) } .c31 { color: var(--1) } .c32 { color: var(--2) } .c33 { color: var(--3) } .c36 { color: var(--6) }
`

/** Text with SGR sequences as spans: bold, dim, and the colours. Source: ECMA-48, SGR. */
function painted(text: string): string {
  const looks = new Set<string>()
  const pieces = text.replaceAll('\r', '').split(/\u001B\[([\d;]*)m/) // eslint-disable-line no-control-regex
  const html = pieces
    .map((piece, index) => {
      if (index % 2 === 0) return span(piece, looks)
      for (const code of piece.split(';')) look(Number(code), looks)
      return ''
    })
    .join('')
  return html.replace(
    /(?:<span class="[^"]*bg40[^"]*">[^\n]*\n)+(?:<span class="c97">[^\n]*\n)?/,
    (code) => `<div class="qr">${code}</div>`,
  )
}

function look(code: number, looks: Set<string>): void {
  if (code === 0) looks.clear()
  else if (code === 1) looks.add('bold')
  else if (code === 2) looks.add('dim')
  else if (code === 22) ['bold', 'dim'].forEach((each) => looks.delete(each))
  else if (code === 40) looks.add('bg40')
  else if (code === 49) looks.delete('bg40')
  else if ((code >= 30 && code <= 39) || code === 97) {
    for (const each of looks) if (each.startsWith('c')) looks.delete(each)
    if (code !== 39) looks.add(`c${code}`)
  }
}

function span(text: string, looks: ReadonlySet<string>): string {
  if (text === '') return ''
  const written = escaped(text)
  const classes = [...looks].filter((each) => each !== 'bold').join(' ')
  const inner = looks.has('bold') ? `<b>${written}</b>` : written
  return classes === '' ? inner : `<span class="${classes}">${inner}</span>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
