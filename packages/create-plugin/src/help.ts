import { frameworks, languages, packageManagers, templates } from './choices.ts'

const words = (record: object) => Object.keys(record).join(', ')

/** What `--help` prints. */
export const help = `Usage: npm create @tillwright/plugin [folder] -- [options]
       pnpm create @tillwright/plugin [folder] [options]

Makes a new plugin from a template: a folder that runs, builds, type-checks and has a test. In a project that is there
already, "tillwright init" makes its pages a plugin instead.

Options:
  --name <name>              what the plugin is called; as its folder, unless given
  -t, --template <template>  ${words(templates)}
  --language <language>      ${words(languages)}
  --framework <framework>    ${words(frameworks)}
  --package-manager <name>   ${words(packageManagers)}; the one that runs this, unless given
  --install, --no-install    whether to install packages, the one thing that needs a network (default: yes)
  --git                      make a git repository, with a first commit
  -y, --yes                  do not ask; blank, TypeScript and Preact unless said otherwise
  --json                     print the answer as one JSON document, for programs; nobody is asked
  --version, -h, --help

Templates:
${Object.entries(templates)
  .map(([name, about]) => `  ${name.padEnd(10)}${about}\n`)
  .join('')}
Nobody is asked where no terminal is, nor in CI. No file that is there is written over.
Ends with 0, or 1 failed, 2 wrong command line, 5 files in the way, 130 Ctrl-C.
`
