import { useRead } from '../../api/query.ts'
import { text } from './text.ts'
import type { Deployment, DeploymentView } from './words.ts'

/** A screenshot that the platform has stored, of a page in a window. */
export interface StoredPicture {
  sha256: string
  /** The path of the page. */
  path: string
  window: 'desktop' | 'mobile'
  preset: string | null
}

const PLACE = '/_previews/picture-'

/** The screenshots of a deployment that are stored on its own host; others are images of third parties. */
export function picturesOf({ deployment, demoPreviews }: DeploymentView): readonly StoredPicture[] {
  return (demoPreviews?.pages ?? []).flatMap(({ path, previews }) =>
    previews.flatMap(({ screenshotUrls, metadata }) =>
      (['desktop', 'mobile'] as const).flatMap((window) => {
        const sha256 = storedAt(screenshotUrls?.[window], deployment)
        return sha256 === null ? [] : [{ sha256, path, window, preset: metadata?.preset ?? null }]
      }),
    ),
  )
}

function storedAt(address: string | null | undefined, { url }: Deployment): string | null {
  const begin = url + PLACE
  const name = address?.startsWith(begin) === true ? address.slice(begin.length) : ''
  return /^([0-9a-f]{64})\.png$/.exec(name)?.[1] ?? null
}

/** One screenshot: the policy of the console allows no other host's images, so it comes as data. */
export function Picture({ of: picture, deploymentId }: { of: StoredPicture; deploymentId: string }) {
  const { sha256, path, window } = picture
  const { data } = useRead('pluginManagement.picture', { deploymentId, sha256 })
  return (
    <span class={`shot ${window}`}>
      {data !== undefined && (
        <img alt={text(`shot.${window}`, { path })} src={`data:${data.contentType};base64,${data.content}`} />
      )}
    </span>
  )
}

/** The first screenshot of a deployment, small; a plain field where there is none, so that rows stay equal. */
export function Thumbnail({ view }: { view: DeploymentView | undefined }) {
  const [first] = view === undefined ? [] : picturesOf(view)
  if (view === undefined || first === undefined) return <span class="shot desktop none" aria-hidden="true" />
  return <Picture of={first} deploymentId={view.deployment.id} />
}
