import type { FileText } from '../read/fix-plugin.ts'

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['src', 'plugin-env.d.ts'],
}

/** How the modules of a plugin are checked, which is how they are bundled. */
export const typescriptSettings: FileText = { path: 'tsconfig.json', text: `${JSON.stringify(settings, null, 2)}\n` }

/** What belongs to one machine alone. */
export const ignoredFiles: FileText = {
  path: '.gitignore',
  text: ['node_modules/', 'dist/', '.env*', '.tillwright/', ''].join('\n'),
}
