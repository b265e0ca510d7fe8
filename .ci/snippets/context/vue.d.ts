/** What the snippets use of Vue, which is not installed in this repository. */
declare module 'vue' {
  export function ref<T>(value: T): { value: T }
  export function useTemplateRef<T>(name: string): { readonly value: T | null }
}
