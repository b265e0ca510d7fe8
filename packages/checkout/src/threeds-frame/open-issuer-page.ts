import { ISSUER_SANDBOX } from '../wire/issuer-sandbox.ts'

/**
 * Opens a page of the bank in an iframe of its own, as EMV 3DS wants it: by a form with one field.
 *
 * @param parent Where the iframe goes.
 */
export function openIssuerPage(
  parent: Element,
  url: string,
  [name, value]: readonly [name: string, value: string],
): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  const form = document.createElement('form')
  const input = document.createElement('input')
  iframe.setAttribute('sandbox', ISSUER_SANDBOX)
  iframe.name = form.target = input.name = name
  input.value = value
  form.method = 'post'
  form.action = url
  form.append(input)
  parent.append(iframe, form)
  form.submit()
  form.remove()
  return iframe
}
