import { Copy } from './controls.tsx'

/** A secret that the platform shows this once. */
export function Once({ hint, value }: { hint: string; value: string }) {
  return (
    <>
      <p class="remark">{hint}</p>
      <p class="once">
        <Copy value={value} />
      </p>
    </>
  )
}
