import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { useLocation, useNavigate } from '#console/router/Router.tsx'
import { readAddress } from '#console/router/useAddress.ts'
import { listViews, type SavedView, setView, type ViewPage } from '#contract/http/devices/views.ts'
import { contentAt, isChanged, PATHS, viewAddress } from './viewAddress.ts'

/** Entering the page has just asked for them. */
export const VIEWS_FRESH = { freshMs: 10_000 }

export function useViews(page: ViewPage, onOpened?: () => void) {
  const { given } = useLocation()
  const navigate = useNavigate()
  const { data, isFetching } = useCall(listViews, { page }, VIEWS_FRESH)
  const save = useChange(setView)
  const { view: viewId } = readAddress(PATHS[page], given)
  const picked = data?.views.find(({ id }) => id === viewId)
  const open = (view: SavedView) => {
    navigate(viewAddress(page, view))
    onOpened?.()
  }
  return {
    data,
    picked,
    isUnknown: data !== undefined && !isFetching && viewId !== undefined && picked === undefined,
    isChanged: picked !== undefined && isChanged(page, picked, given),
    content: contentAt(page, given),
    open,
    saveOver: ({ id, name, share }: SavedView) => {
      save.mutate({ body: { id, page, name, share, content: contentAt(page, given) } })
    },
  }
}
