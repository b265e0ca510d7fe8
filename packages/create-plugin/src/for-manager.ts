import { packageManagers, type PackageManager } from './choices.ts'
import type { Files } from './templates.ts'

/** A file of a template as it is for a package manager: templates speak npm's words. */
export function forManager(path: string, text: string, manager: PackageManager): string {
  if (manager === 'berry' && path === '.gitignore') return `${text}.yarn/\n`
  if (manager === 'npm' || !/\.(?:md|yml)$/.test(path)) return text
  const { install, installLocked, run, test, setUp } = packageManagers[manager]
  return text
    .replaceAll('npm run', run)
    .replaceAll('npm test', test)
    .replaceAll('npm install', install)
    .replaceAll(/^( *- run: )npm ci$/gm, `$1${setUp}\n$1${installLocked}`)
}

/** What a package manager wants beside a template's files. */
export function filesFor(manager: PackageManager): Files {
  if (manager !== 'berry') return {}
  return {
    '.yarnrc.yml': '# esbuild is a program of its own and wants to lie in a folder.\nnodeLinker: node-modules\n',
  }
}
