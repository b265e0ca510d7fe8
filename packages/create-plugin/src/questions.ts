import type { Readable, Writable } from 'node:stream'
import { confirm, isCancel, select, text } from '@clack/prompts'
import {
  completeChoices,
  type Framework,
  frameworks,
  idOf,
  type Language,
  languages,
  NAME_MAX_CHARS,
  packageManagers,
  sellingTemplates,
  type PluginChoices,
  type Template,
  templates,
} from './choices.ts'
import { Failed } from './failure.ts'

/** The streams of a terminal. */
export interface Terminal {
  input: Readable
  output: Writable
}

/**
 * Asks for the choices that were not given. Whether to make a git repository is not asked.
 *
 * @param userAgent See `completeChoices`.
 * @throws {Failed} `interrupted`, after Ctrl-C.
 */
export async function ask(
  said: Partial<PluginChoices>,
  userAgent: string | undefined,
  terminal: Terminal,
): Promise<PluginChoices> {
  const usual = completeChoices(said, userAgent)
  const name = said.name ?? (await askName(said.folder === undefined ? 'My plugin' : usual.name, terminal))
  const folder = said.folder ?? idOf(name)
  const template = said.template ?? (await askTemplate(terminal))
  const variant = said.variant ?? (sellingTemplates.includes(template) ? await askVariant(terminal) : '')
  const made = await askMade(said, terminal)
  const install = said.install ?? (await askInstall(packageManagers[usual.packageManager].install, terminal))
  return { ...usual, folder, name, template, variant, ...made, install }
}

async function askName(usual: string, terminal: Terminal): Promise<string> {
  const validate = (name = '') =>
    name.trim().length > NAME_MAX_CHARS ? `At most ${NAME_MAX_CHARS} characters.` : undefined
  const options = { message: 'Name of the plugin', placeholder: usual, defaultValue: usual, validate, ...terminal }
  return answered(await text(options)).trim() || usual
}

async function askTemplate(terminal: Terminal): Promise<Template> {
  const options = Object.entries(templates).map(([value, hint]) => ({ value: value as Template, label: value, hint }))
  return answered(await select({ message: 'Template', options, ...terminal }))
}

/** Its stores need not be known yet. */
async function askVariant(terminal: Terminal): Promise<string> {
  const validate = (id = '') => (/^[\w.:-]{0,64}$/.test(id.trim()) ? undefined : 'An id such as variant_3q8Z.')
  const placeholder = 'Enter: choose when you publish'
  const options = { message: 'Product variant to sell', placeholder, defaultValue: '', validate, ...terminal }
  return answered(await text(options)).trim()
}

/** One question for language and framework, limited by the one that was given. */
async function askMade(
  said: Partial<PluginChoices>,
  terminal: Terminal,
): Promise<Pick<PluginChoices, 'language' | 'framework'>> {
  const options = (Object.keys(languages) as Language[]).flatMap((language) =>
    (Object.keys(frameworks) as Framework[])
      .map((framework) => ({ language, framework }))
      .filter(
        (made) => (said.language ?? language) === language && (said.framework ?? made.framework) === made.framework,
      )
      .map((value) => ({ value, label: `${languages[language]} and ${frameworks[value.framework]}` })),
  )
  const [only, ...others] = options
  if (only !== undefined && others.length === 0) return only.value
  return answered(await select({ message: 'Written in', options, ...terminal }))
}

async function askInstall(command: string, terminal: Terminal): Promise<boolean> {
  return answered(await confirm({ message: `Run "${command}" now?`, ...terminal }))
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Failed('Nothing was written.', 'interrupted')
  return answer as Exclude<Answer, symbol> // the only symbol that there is
}
