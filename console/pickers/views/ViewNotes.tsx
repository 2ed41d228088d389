import { Button } from '@mantine/core'
import { useChange } from '#console/lib/call/useCall.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { type SavedView, setDefaultView, type ViewPage } from '#contract/http/devices/views.ts'
import { useViews } from './useViews.ts'
import { lostColumns } from './viewAddress.ts'

/** It says what a view could not restore, because it must not silently show something else. */
export function ViewNotes({ page }: { readonly page: ViewPage }) {
  const { data, picked, isUnknown } = useViews(page)
  const forget = useChange(setDefaultView)
  return (
    <>
      {isUnknown && (
        <FormNote
          kind="info"
          text="The view in this link was deleted or is not shared with you. The other values of the link are applied."
        />
      )}
      {picked && lossesOf(picked).map((text) => <FormNote key={text} kind="info" text={text} />)}
      {data?.isDefaultLost && (
        <div className="view-lost">
          <FormNote kind="info" text="Your default view was deleted, or it is not shared with you any more." />
          <Button size="compact-sm" variant="default" onClick={() => forget.mutate({ body: { page, id: null } })}>
            No default
          </Button>
        </div>
      )}
    </>
  )
}

function lossesOf(view: SavedView): readonly string[] {
  const columns = lostColumns(view)
  return [
    ...(view.lost === 'customer'
      ? [`The view “${view.name}” is about a customer that you may not see: its filter is left out.`]
      : []),
    ...(view.lost === 'filter'
      ? [`The filter of the view “${view.name}” is not known to this version and is left out.`]
      : []),
    ...(columns.length > 0 ? [`Columns of the view “${view.name}” that no longer exist: ${columns.join(', ')}.`] : []),
  ]
}
