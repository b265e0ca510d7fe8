/** The part of Eleventy that the build uses; it ships no types. Source: https://www.11ty.dev/docs/programmatic/ */
declare module '@11ty/eleventy' {
  import type { MarkdownIt } from 'markdown-it'

  /** Data of a page that its layout receives. */
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
