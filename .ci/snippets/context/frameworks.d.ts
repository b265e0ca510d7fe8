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
declare module '@angular/core' {
  interface Signal<T> {
    (): T
    set(value: T): void
  }
  export interface ElementRef<T> {
    nativeElement: T
  }
  export const CUSTOM_ELEMENTS_SCHEMA: object
  export function Component(options: {
    selector: string
    schemas: object[]
    template: string
  }): (component: object) => void
  export function afterNextRender(callback: () => void): void
  export function signal<T>(value: T): Signal<T>
  export function viewChild<T>(name: string): () => T | undefined
}
declare module '@angular/platform-browser' {
  export function bootstrapApplication(component: object): Promise<object>
}
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Handler = (
    request: IncomingMessage,
    response: ServerResponse & { json(body: object): void },
    next: () => void,
  ) => unknown
  interface Express {
    use(handler: Handler): void
    get(path: string, handler: Handler): void
    listen(port: number, host: string): void
  }
  const express: { (): Express; static(folder: string): Handler }
  export default express
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
