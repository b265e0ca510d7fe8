import type { CardOptions } from '@tillwright/plugin-sdk'

type Look = Tillwright.Config['look']

const radii: Readonly<Record<Look['corners'], number>> = { sharp: 0, soft: 6, round: 14 }

/** Shows a look: its colours as custom properties of the document, its shapes as data attributes that styles ask for. */
export function applyLook(look: Look, { style, dataset }: Pick<HTMLElement, 'style' | 'dataset'>): void {
  const { background, surface, tint, text, muted, line, accent, onAccent, accentText } = look
  const colours = { background, surface, tint, text, muted, line, accent, onAccent, accentText }
  for (const [name, value] of Object.entries(colours)) style.setProperty(`--${name}`, value)
  style.setProperty('--radius', `${radii[look.corners]}px`)
  style.setProperty('--danger', look.scheme === 'dark' ? '#ff9d94' : '#b3261e')
  style.colorScheme = look.scheme
  dataset['type'] = look.type
  dataset['density'] = look.density
  dataset['corners'] = look.corners
}

/** The same look for the card form, which stands in a frame of its own. */
export function cardAppearance(look: Look): NonNullable<CardOptions['appearance']> {
  const { scheme, surface, text, muted, accentText, corners, type } = look
  return {
    theme: scheme,
    variables: {
      colorPrimary: accentText,
      colorText: text,
      colorFieldText: text,
      colorLabel: text,
      colorMuted: muted,
      colorPlaceholder: muted,
      colorField: surface,
      colorBorder: muted,
      colorFocus: accentText,
      borderRadius: `${radii[corners]}px`,
      ...(type === 'serif' && { fontFamily: "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif" }),
      fontSize: '16px',
      labelFontSize: '14px',
      labelFontWeight: '600',
    },
  }
}
