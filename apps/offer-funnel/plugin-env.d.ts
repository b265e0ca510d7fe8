// Written by `tillwright types` from plugin.manifest.json and its settings: change those instead.

declare namespace Tillwright {
  /** Texts by language. */
  type Translation = { readonly [language: string]: string }

  /** The settings of the plugin. */
  type Config = { readonly brand: { readonly name: string; readonly logo: string; readonly email?: string }; readonly look: { /** Tells the browser and the card form. */ readonly scheme: "light" | "dark"; readonly background: string; readonly surface: string; readonly tint: string; readonly text: string; readonly muted: string; readonly line: string; readonly accent: string; readonly onAccent: string; readonly accentText: string; readonly type: "grotesk" | "condensed" | "serif"; readonly corners: "sharp" | "soft" | "round"; readonly density: "airy" | "compact"; readonly hero: "split" | "poster" | "centred"; readonly benefits: "cards" | "numbers" | "lines" }; readonly product: { readonly name: Translation; /** The variant that is sold. Empty: what the order already has, as in a preview. */ readonly variantId: string; /** A price of the variant, if not its default one. */ readonly priceId: string; readonly image: string }; readonly bundles: readonly { /** How many pieces the buyer gets. The saving is reckoned from the smallest bundle. */ readonly pieces: number; /** A variant that is the whole bundle. Empty: that many pieces of the product. */ readonly variantId: string; /** A price of that variant, if not its default one. */ readonly priceId: string; readonly label: Translation; readonly note: Translation; /** It is chosen at first and marked. */ readonly isRecommended: boolean }[]; readonly deadline: { /** Only while the promotion below reduces the order, and until the moment at which it ends in the catalogue. */ readonly isShown: boolean; /** Entered for the buyer. Empty for a promotion without a code. */ readonly code: string; /** For one without a code: as it is called in the catalogue. */ readonly name: string }; readonly landing: { readonly eyebrow: Translation; readonly headline: Translation; readonly subline: Translation; readonly cta: Translation; readonly points: readonly Translation[]; readonly image: string; readonly benefitsTitle: Translation; readonly benefits: readonly ({ readonly icon: "snow" | "sun" | "drop" | "leaf" | "shield" | "truck" | "return" | "spark" | "clock" | "heart"; readonly title: Translation; readonly text: Translation })[]; readonly reviewsTitle: Translation; readonly reviews: readonly { readonly name: string; readonly place: string; readonly rating: number; readonly text: Translation; /** Samples are shown in previews alone: no buyer reads an invented review. */ readonly isSample: boolean }[]; readonly faqTitle: Translation; readonly faq: readonly { readonly question: Translation; readonly answer: Translation }[]; readonly closingTitle: Translation; readonly closingText: Translation }; readonly offer: { readonly headline: Translation; readonly subline: Translation; readonly cta: Translation; readonly guarantee: Translation }; readonly checkout: { readonly headline: Translation; /** For what is shipped. */ readonly asksAddress: boolean; readonly countries: readonly string[]; readonly note: Translation }; readonly upsell: { /** The variant that one click adds. Empty: buyers are led past this page, and previews are shown the product. */ readonly variantId: string; /** A price of that variant, if not its default one. */ readonly priceId: string; readonly quantity: number; readonly eyebrow: Translation; readonly headline: Translation; readonly text: Translation; readonly points: readonly Translation[]; readonly image: string; readonly decline: Translation }; readonly downsell: { /** The variant that one click adds. Empty: buyers are led past this page, and previews are shown the product. */ readonly variantId: string; /** A price of that variant, if not its default one. */ readonly priceId: string; readonly quantity: number; readonly eyebrow: Translation; readonly headline: Translation; readonly text: Translation; readonly points: readonly Translation[]; readonly image: string; readonly decline: Translation }; readonly thanks: { readonly headline: Translation; readonly text: Translation; readonly nextSteps: readonly Translation[] }; readonly footer: { readonly text: Translation; readonly links: readonly { readonly label: Translation; readonly address: string }[] } }

  /** The plugin, for the types of whatever works with any. */
  interface Plugin {
    config: Config
    preset: "daylight" | "ember" | "linen"
    template: "gift-season" | "straight-to-the-point"
    pages: {
      landing: { path: "/"; params: {  }; resource: never }
      offer: { path: "/offer"; params: {  }; resource: never }
      checkout: { path: "/checkout"; params: {  }; resource: never }
      upsell: { path: "/one-more-thing"; params: {  }; resource: never }
      downsell: { path: "/a-smaller-one"; params: {  }; resource: never }
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
