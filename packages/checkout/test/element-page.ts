import '../src/element/index.ts'

declare global {
  interface Window {
    /** Puts a card element with these attributes into the page and notes its events. */
    addCard(attributes: Record<string, string>): void
  }
}

window.addCard = (attributes) => {
  const element = document.createElement('tillwright-card')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  for (const name of ['ready', 'change', 'brand', 'submit', 'loaderror', 'card-error']) {
    element.addEventListener(name, (event) => {
      window.events.push([name, event instanceof CustomEvent ? (event.detail?.code ?? event.detail) : 'no detail'])
    })
  }
  document.querySelector('#card')?.append(element)
}
