import { render, type ComponentChild } from 'preact'

/** Shows a component in the page's document. */
export function mount(component: ComponentChild): void {
  const app = document.getElementById('app')
  if (app) render(component, app)
}
