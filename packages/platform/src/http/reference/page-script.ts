/**
 * The script of the reference pages: the search of the contents, copying, addresses of earlier versions, and requests where
 * the page has a key. Without it, everything can be read.
 */
export const script = `
const old = /^#tag\\/(\\w+)(?:\\/(?:POST|GET|PUT|PATCH|DELETE)?(.*))?$/.exec(decodeURIComponent(location.hash))
if (old !== null && location.pathname === '/docs') {
  const rest = location.hash.split('/').slice(2).join('/')
  location.replace('/docs/' + old[1] + (rest === '' ? '' : '#' + rest))
}
const search = document.querySelector('.contents input')
const groups = [...document.querySelectorAll('.contents details')]
const first = groups.map((group) => group.open)
const introduction = document.querySelector('.contents > ul')
search.hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  introduction.hidden = words.length > 0
  groups.forEach((group, index) => {
    const title = group.querySelector('summary').textContent.toLowerCase()
    let found = 0
    for (const item of group.querySelectorAll('li')) {
      const link = item.firstElementChild
      const text = title + ' ' + link.textContent.toLowerCase() + ' ' + link.getAttribute('href').toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
      if (!item.hidden) found += 1
    }
    group.hidden = found === 0
    group.open = words.length === 0 ? first[index] : found > 0
  })
})
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:input|textarea)$/i.test(event.target.tagName)) return
  event.preventDefault()
  if (search.offsetParent === null) location.hash = 'contents'
  search.focus()
})
if (navigator.clipboard !== undefined) {
  for (const button of document.querySelectorAll('.copy')) button.hidden = false
  document.addEventListener('click', async ({ target }) => {
    if (!target.matches('.copy')) return
    await navigator.clipboard.writeText(target.previousElementSibling.textContent)
    target.textContent = 'Copied'
    setTimeout(() => { target.textContent = 'Copy' }, 1500)
  })
}
const account = JSON.parse(document.getElementById('account')?.textContent ?? 'null')
document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  const { method, path, scheme } = form.dataset
  const headers = { Authorization: 'Bearer ' + (form.elements.token?.value ?? account[scheme]) }
  const query = new URLSearchParams()
  let address = path
  for (const { name, value } of form.querySelectorAll('input')) {
    const at = name.indexOf(':')
    const [place, key] = [name.slice(0, at), name.slice(at + 1)]
    if (place === 'path') address = address.replace('{' + key + '}', encodeURIComponent(value))
    else if (value !== '' && place === 'query') query.set(key, value)
    else if (value !== '' && place === 'header') headers[key] = value
  }
  const body = form.elements.body?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const shown = document.createElement('pre')
  form.querySelector('output').replaceChildren(shown)
  try {
    const answer = await fetch(address + (query.size === 0 ? '' : '?' + query), { method, headers, body })
    const text = await answer.text()
    let pretty = text
    try { pretty = JSON.stringify(JSON.parse(text), null, 2) } catch {}
    shown.textContent = answer.status + '\\n' + pretty
  } catch (error) {
    shown.textContent = 'The request did not arrive: ' + error.message
  }
})
`
