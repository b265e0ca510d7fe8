import { text } from '../shell/text.ts'
import { Button, Copy, Dialog } from './controls.tsx'

interface OnceProps {
  title: string
  hint: string
  /** The secret. */
  value: string
  onClose: () => void
}

/** A secret that the platform shows this once. */
export function OnceDialog({ title, hint, value, onClose }: OnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="remark">{hint}</p>
      <p class="once">
        <Copy value={value} />
      </p>
      <div class="actions">
        <Button kind="main" onClick={onClose}>
          {text('close')}
        </Button>
      </div>
    </Dialog>
  )
}
