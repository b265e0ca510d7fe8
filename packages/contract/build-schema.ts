import { writeFile } from 'node:fs/promises'
import { pluginFileSchema } from './src/manifest/plugin-file.ts'

/** Writes the JSON Schema of `plugin.manifest.json` next to the built modules, for editors. */
await writeFile(
  new URL('./dist/plugin.schema.json', import.meta.url),
  `${JSON.stringify(pluginFileSchema(), null, 2)}\n`,
)
