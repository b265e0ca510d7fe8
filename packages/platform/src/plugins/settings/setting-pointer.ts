import type { SettingKind } from './live-settings.ts'
import { escapeName } from './merge-settings.ts'

/** Where a setting stands, as a JSON pointer: `/presets/dark`, `/schema`. */
export function pointerOf({ kind, name }: { kind: SettingKind; name: string }): string {
  switch (kind) {
    case 'preset':
    case 'template':
      return `/${kind}s/${escapeName(name)}`
    case 'schema':
    case 'uiSchema':
    case 'activePreset':
      return `/${kind}`
  }
}
