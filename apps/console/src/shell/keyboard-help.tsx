import { Dialog } from '../design/controls.tsx'
import { allowedSections } from './navigation.ts'
import { useSession } from './session.ts'
import { text } from './text.ts'

/** The sheet of all keys. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const pages = allowedSections(useSession().operations).flatMap((section) => section.pages)
  const keys: readonly (readonly [string, string])[] = [
    ['/', text('key.search')],
    ['Ctrl K', text('key.search')],
    ['/ …', text('key.action', { example: `${text('do.refund')} pay_…` })],
    ['j', text('key.down')],
    ['k', text('key.up')],
    ['Enter', text('key.open')],
    ['f', text('key.filter')],
    ['?', text('key.help')],
    ['Esc', text('close')],
    ...pages.flatMap(({ letter, name }) =>
      letter === undefined ? [] : [[`g ${letter}`, text('key.go', { page: text(`page.${name}`) })] as const],
    ),
  ]
  return (
    <Dialog title={text('keyboard')} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}
