/** Makes an element with what is in it; a property of it is named as in the DOM, anything with a `-` is an attribute. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role') made.setAttribute(key, String(value))
    else Reflect.set(made, key, value)
  }
  made.append(...children)
  return made
}
