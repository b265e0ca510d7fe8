import type { CardOptions } from '@tillwright/plugin-sdk'
import { isDark } from './apply-look.ts'
import { readRgb } from './read-rgb.ts'
import type { Settings } from './settings.ts'

type Appearance = NonNullable<CardOptions['appearance']>

const radius = { square: '0px', soft: '8px', round: '14px' } as const
const padding = { airy: '14px', regular: '12px', compact: '11px' } as const
const families = {
  sans: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  serif: "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Liberation Serif', serif",
  display: "'Avenir Next', Avenir, 'Segoe UI', 'Liberation Sans', sans-serif",
} as const
const dangers = { light: '#b3122a', dark: '#ff9aa8' } as const

/**
 * Makes the card form look like the fields around it. It stands in a frame and cannot see the page's styles, so it is told
 * what `styles/tokens.css` comes to.
 */
export function cardAppearance(settings: Settings): Appearance {
  const { fields, corners, typeface, density, colorText, colorAccent, colorBackground } = settings
  const scheme = isDark(settings) ? 'dark' : 'light'
  const muted = mixColors(colorText, colorBackground, 0.72)
  const isUnderlined = fields === 'underlined'
  return {
    theme: isUnderlined ? 'minimal' : scheme,
    variables: {
      colorText,
      colorFieldText: colorText,
      colorMuted: muted,
      colorPlaceholder: muted,
      colorIcon: muted,
      colorLabel: fields === 'outlined' ? colorText : muted,
      colorBorder: mixColors(colorText, colorBackground, 0.5),
      colorDanger: dangers[scheme],
      colorPrimary: colorAccent,
      colorFocus: scheme === 'dark' ? colorAccent : colorText,
      colorField: fieldOf(settings, scheme),
      borderRadius: isUnderlined ? '0px' : radius[corners],
      fontFamily: families[typeface],
      fontSize: isUnderlined ? '18px' : '16px',
      labelFontSize: isUnderlined ? '15px' : '14px',
      labelFontWeight: isUnderlined ? '400' : '600',
      fieldPaddingY: padding[density],
      spacing: density === 'airy' ? '20px' : '14px',
    },
  }
}

/** A filled field is a little lighter than a dark surface; on a light page it is the surface. */
function fieldOf({ fields, colorText, colorBackground, colorSurface }: Settings, scheme: 'light' | 'dark'): string {
  if (fields === 'underlined') return 'transparent'
  if (scheme === 'dark') return mixColors(colorText, colorSurface, 0.08)
  return fields === 'filled' ? colorSurface : colorBackground
}

/** A colour between two others, as `color-mix(in srgb, ...)` has it. @param share Of the first, from 0 to 1. */
function mixColors(one: string, other: string, share: number): string {
  const ground = readRgb(other)
  const channels = readRgb(one).map((channel, index) =>
    Math.round(channel * share + (ground[index] ?? 0) * (1 - share)),
  )
  return `rgb(${channels.join(', ')})`
}
