// Written by `tillwright types` from plugin.manifest.json and its settings: change those instead.

declare namespace Tillwright {
  /** Texts by language. */
  type Translation = { readonly [language: string]: string }

  /** The settings of the plugin. */
  type Config = { /** What stands above the order, by language. */ readonly headline: Translation; /** What is sold to a buyer whose order is empty. Publishing fills it, or asks. An address with ?variant=... sells another product. */ readonly variantId: string; /** auto: as the buyer's browser has it. */ readonly theme: "auto" | "light" | "dark"; /** Six hexadecimal digits, such as #1d4ed8. */ readonly accent: string }

  /** The plugin, for the types of whatever works with any. */
  interface Plugin {
    config: Config
    preset: "day" | "night"
    template: never
    pages: {
      checkout: { path: "/"; params: {  }; resource: never }
      "thank-you": { path: "/thank-you"; params: {  }; resource: never }
    }
  }

  type PageId = keyof Plugin['pages']
  /** The parameters of a page's path. */
  type RouteParams<Page extends PageId> = Plugin['pages'][Page]['params']
  /** The resources that a page's features need. */
  type Resource<Page extends PageId> = Plugin['pages'][Page]['resource']
}

interface ImportMetaEnv {
  MODE: string
  DEV: boolean
  PROD: boolean
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

declare module '*.module.css' {
  const names: { readonly [name: string]: string }
  export default names
}
declare module '*.css' {}
declare module '*.avif' {
  const address: string
  export default address
}
declare module '*.gif' {
  const address: string
  export default address
}
declare module '*.ico' {
  const address: string
  export default address
}
declare module '*.jpeg' {
  const address: string
  export default address
}
declare module '*.jpg' {
  const address: string
  export default address
}
declare module '*.png' {
  const address: string
  export default address
}
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.webp' {
  const address: string
  export default address
}
declare module '*.eot' {
  const address: string
  export default address
}
declare module '*.otf' {
  const address: string
  export default address
}
declare module '*.ttf' {
  const address: string
  export default address
}
declare module '*.woff' {
  const address: string
  export default address
}
declare module '*.woff2' {
  const address: string
  export default address
}
declare module '*.aac' {
  const address: string
  export default address
}
declare module '*.flac' {
  const address: string
  export default address
}
declare module '*.m4a' {
  const address: string
  export default address
}
declare module '*.mp3' {
  const address: string
  export default address
}
declare module '*.mp4' {
  const address: string
  export default address
}
declare module '*.oga' {
  const address: string
  export default address
}
declare module '*.ogg' {
  const address: string
  export default address
}
declare module '*.ogv' {
  const address: string
  export default address
}
declare module '*.wav' {
  const address: string
  export default address
}
declare module '*.webm' {
  const address: string
  export default address
}
declare module '*.pdf' {
  const address: string
  export default address
}
declare module '*.wasm' {
  const address: string
  export default address
}
declare module '*.webmanifest' {
  const address: string
  export default address
}
