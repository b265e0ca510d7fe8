import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import plaintext from 'highlight.js/lib/languages/plaintext'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = { bash, css, ini, json, nginx, plaintext, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** Names of fences that are not those of highlight.js. */
const names: Readonly<Record<string, keyof typeof languages>> = {
  html: 'xml',
  js: 'typescript',
  jsonc: 'json',
  jsx: 'typescript',
  sh: 'bash',
  svelte: 'xml',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
}

/** Code as HTML, coloured by classes: the pages' policy allows no style attributes. */
export function highlight(code: string, language: string): string {
  const name = names[language] ?? language
  return hljs.highlight(code, { language: name in languages ? name : 'plaintext' }).value
}
