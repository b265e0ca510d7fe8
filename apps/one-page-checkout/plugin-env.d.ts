// Written by `tillwright types` from plugin.manifest.json and its settings: change those instead.

declare namespace Tillwright {
  /** Texts by language. */
  type Translation = { readonly [language: string]: string }

  /** The settings of the plugin. */
  type Config = { readonly brandName?: string; /** Shown instead of the name, 36 pixels high. The name stays as its text. */ readonly logo?: string; /** Buttons and what is chosen. The letters on it are black or white, whichever reads better. */ readonly colorAccent?: string; readonly colorBackground?: string; /** Behind the summary, and behind fields that are filled. */ readonly colorSurface?: string; readonly colorText?: string; /** split: a panel next to the form. column: above it, in one column. ticket: a card before it, which stays in view. */ readonly arrangement?: "split" | "column" | "ticket"; /** sans: the buyer's system font. serif: a book's. display: heavy headings. */ readonly typeface?: "sans" | "serif" | "display"; readonly density?: "airy" | "regular" | "compact"; readonly corners?: "square" | "soft" | "round"; readonly fields?: "outlined" | "underlined" | "filled"; /** plain: headings alone. numbered: with figures and lines. cards: each on a card of its own. */ readonly sections?: "plain" | "numbered" | "cards"; /** Above the form; empty for none. */ readonly heading?: Translation; readonly intro?: Translation; /** {amount} stands for what is paid. */ readonly payLabel?: Translation; /** {name} stands for the buyer's first name. */ readonly thankYouHeading?: Translation; readonly thankYouText?: Translation; /** What the order begins with. A link may bring another cart: /checkout?cart=variant_a:2,variant_b */ readonly products?: readonly { readonly variantId: string; /** 0: not from the start; name and picture serve carts that bring it. */ readonly quantity?: number; /** Instead of the catalogue's. */ readonly title?: Translation; readonly text?: Translation; readonly image?: string }[]; readonly quantityChoice?: boolean; readonly promotionCodes?: boolean; /** An ISO 4217 code that all products have a price in; empty for the store's. */ readonly currency?: string; /** full: where the goods go. none: nothing is sent. */ readonly address?: "full" | "none"; readonly phone?: "hidden" | "optional" | "required"; /** Empty for all. */ readonly countries?: readonly string[]; /** Empty: by the buyer's browser. */ readonly defaultCountry?: string; /** A shipping option of the store by its id, under another name or in other languages. Which options there are, where they lead and what they cost is set for the store. */ readonly shipping?: readonly { readonly id: string; readonly name: Translation; readonly note?: Translation }[]; /** Short, true, and at most four. */ readonly badges?: readonly ({ readonly icon: "lock" | "return" | "truck" | "leaf" | "star" | "chat"; readonly title: Translation; readonly text?: Translation })[]; readonly supportEmail?: string; readonly termsUrl?: string; readonly privacyUrl?: string; readonly returnsUrl?: string; readonly continueUrl?: string }

  /** The plugin, for the types of whatever works with any. */
  interface Plugin {
    config: Config
    preset: "plain" | "atelier" | "night"
    template: "gift-season" | "digital"
    pages: {
      checkout: { path: "/checkout"; params: {  }; resource: never }
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
