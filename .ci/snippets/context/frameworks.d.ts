/**
 * The parts of frameworks that snippets use. They are not installed in this repository; the release rehearsal runs the
 * snippets with the real ones.
 */
declare module 'vue' {
  export function ref<T>(value: T): { value: T }
  export function useTemplateRef<T>(name: string): { readonly value: T | null }
  export function createApp(component: unknown): { mount(place: string): void }
}
declare module 'svelte' {
  export function mount(component: unknown, options: { target: Element }): void
}
declare module 'next/server' {
  export function connection(): Promise<void>
}
declare module 'react-dom/client' {
  export function createRoot(place: Element): { render(node: object): void }
}
declare module 'vite' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  export interface ViteDevServer {
    middlewares: { use(middleware: Middleware): void }
  }
  export type PreviewServer = ViteDevServer
  export function defineConfig(config: { envPrefix: string[]; plugins: unknown[] }): object
}
declare module '@vitejs/plugin-react' {
  export default function react(): object
}
declare module '@vitejs/plugin-vue' {
  interface Options {
    template: { compilerOptions: { isCustomElement(tag: string): boolean } }
  }
  export default function vue(options: Options): object
}
declare module '@sveltejs/vite-plugin-svelte' {
  export function svelte(): object
}
declare module '*.vue' {
  const component: object
  export default component
}
declare module '*.svelte' {
  const component: object
  export default component
}
interface ImportMeta {
  readonly env: Readonly<Record<string, string>>
}
