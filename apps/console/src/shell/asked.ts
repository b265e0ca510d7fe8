import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'

/**
 * Which dialog of a page is open. A page's address may ask for one: `?do=refund`. Anyone can send such a link, so it
 * does no more than a click on the button of that dialog, which explains the effect first.
 *
 * @param offered The dialogs that an address may ask for, and whether the page offers each to this member now. Whatever else
 *   an address asks for opens nothing.
 * @returns The open dialog, or `null`, and what opens and closes one. Once it is open, `do` is gone from the address.
 */
export function useAsked<Name extends string>(
  offered: Readonly<Partial<Record<Name, boolean>>>,
): readonly [open: Name | null, setOpen: (name: Name | null) => void] {
  const { path, query, route } = useLocation()
  const [open, setOpen] = useState<Name | null>(null)
  const wanted = query['do']
  // Its keys are names: the type of the parameter has no others.
  const asked = (Object.keys(offered) as Name[]).find((name) => name === wanted && offered[name] === true) ?? null
  // It is open from then on, whatever is offered: what is done in a dialog often ends the offer, and the dialog may have more
  // to say. The address asks no more, so that a member who returns to it, or reloads it, is not asked twice.
  useEffect(() => {
    if (asked === null) return
    setOpen(asked)
    const { do: _, ...rest } = query
    const search = new URLSearchParams(rest)
    route(search.size === 0 ? path : `${path}?${search}`, true)
  }, [asked])
  return [open, setOpen]
}
