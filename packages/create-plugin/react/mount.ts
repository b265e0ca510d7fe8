import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** Shows a component in the page's document. */
export function mount(component: ReactNode): void {
  const app = document.getElementById('app')
  if (app) createRoot(app).render(component)
}
