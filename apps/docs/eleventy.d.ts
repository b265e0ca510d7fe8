/** What the build uses of Eleventy, which brings no declarations. Source: https://www.11ty.dev/docs/programmatic/ */
declare module '@11ty/eleventy' {
  import type { MarkdownIt } from 'markdown-it'

  /** What a layout is given of its page. */
  export interface PageData {
    /** The page's HTML. */
    content: string
    page: { inputPath: string; filePathStem: string }
  }

  export interface UserConfig {
    setUseGitIgnore(use: boolean): void
    setTemplateFormats(formats: readonly string[]): void
    setLibrary(name: 'md', library: MarkdownIt): void
    addGlobalData(name: string, value: unknown): void
    /** A template without a file, at a path below the input folder. */
    addTemplate(path: string, content: string | { render: (data: PageData) => string }): void
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void
    addWatchTarget(path: string): void
  }

  export interface EleventyOptions {
    configPath: string | null
    quietMode: boolean
    runMode?: 'build' | 'serve'
    config: (config: UserConfig) => void
  }

  export class Eleventy {
    constructor(input: string, output: string, options: EleventyOptions)
    init(): Promise<void>
    write(): Promise<unknown>
    watch(): Promise<void>
    serve(port: number): Promise<void>
  }
}
