/** The two values of a colour. */
interface Colour {
  light: string
  dark: string
}

/** The colours of all own pages. Nothing else names one. */
export const colours = {
  /** Background of pages. */
  canvas: { light: '#fbfaf8', dark: '#131210' },
  /** Surfaces on the page: cards, bars, rows. */
  surface: { light: '#ffffff', dark: '#1b1a17' },
  /** Surfaces above those: dialogs, menus. */
  raised: { light: '#ffffff', dark: '#23211d' },
  /** Recessed surfaces: code, read-only fields. */
  sunken: { light: '#f3f1ec', dark: '#0e0d0b' },
  /** Between things. */
  line: { light: '#e6e2da', dark: '#2f2c26' },
  /** Around what can be operated. */
  'line-strong': { light: '#8f887b', dark: '#7d766a' },
  ink: { light: '#1d1b16', dark: '#efece5' },
  'ink-soft': { light: '#5f5a50', dark: '#b0a99b' },
  'ink-faint': { light: '#6f695d', dark: '#938c7f' },
  /** Links, the main button, focus. */
  accent: { light: '#1f5f4a', dark: '#6fc4a3' },
  'accent-ink': { light: '#ffffff', dark: '#0d1f18' },
  'accent-soft': { light: '#e3f0ea', dark: '#1c3229' },
  /** States, each with the ground of its badge. */
  good: { light: '#1c6b3c', dark: '#76cf97' },
  'good-soft': { light: '#e2f3e8', dark: '#17301f' },
  wait: { light: '#865400', dark: '#e3b15b' },
  'wait-soft': { light: '#fbeed5', dark: '#362810' },
  bad: { light: '#a8281f', dark: '#f2958d' },
  'bad-soft': { light: '#fce8e5', dark: '#3b1a17' },
  calm: { light: '#50596b', dark: '#aab4c6' },
  'calm-soft': { light: '#eceef3', dark: '#23272f' },
} as const satisfies Readonly<Record<string, Colour>>

const values = {
  font: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', sans-serif",
  mono: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', 'DejaVu Sans Mono', monospace",
  'text-small': '0.8125rem',
  text: '0.875rem',
  'text-large': '1rem',
  title: '1.375rem',
  figure: '1.625rem',
  'step-1': '0.25rem',
  'step-2': '0.5rem',
  'step-3': '0.75rem',
  'step-4': '1rem',
  'step-5': '1.5rem',
  'step-6': '2rem',
  'step-7': '3rem',
  corner: '0.5rem',
  'corner-small': '0.375rem',
  shadow: '0 1px 2px rgb(0 0 0 / 0.05)',
  'shadow-high': '0 12px 40px rgb(0 0 0 / 0.22), 0 2px 6px rgb(0 0 0 / 0.12)',
  row: '2.75rem',
  quick: '120ms',
} as const satisfies Readonly<Record<string, string>>

/** The name of a token; in CSS it follows two dashes. */
export type Token = keyof typeof colours | keyof typeof values

/**
 * The tokens as custom properties of the document, for light and dark. Needs `light-dark()`, which browsers have since 2024.
 *
 * @param names The tokens that the page uses; all by default.
 */
export function tokensCss(names: readonly Token[] = all): string {
  return `:root{color-scheme:light dark;${names.map((name) => `--${name}:${valueOf(name)}`).join(';')}}`
}

// The keys of two objects that were written out are all that they have.
const all = [...Object.keys(colours), ...Object.keys(values)] as Token[]

function valueOf(name: Token): string {
  if (!isColour(name)) return values[name]
  const { light, dark } = colours[name]
  return `light-dark(${light},${dark})`
}

function isColour(name: Token): name is keyof typeof colours {
  return name in colours
}
