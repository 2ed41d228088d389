import { IconBookmark } from '@tabler/icons-react'
import { useChange } from '#console/lib/call/useCall.ts'
import { type PaletteCommand, usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { deleteView, type SavedView, setDefaultView, type ViewPage } from '#contract/http/devices/views.ts'
import type { useViews } from './useViews.ts'

export interface ViewAction extends Pick<PaletteCommand, 'actionId' | 'id' | 'label' | 'run'> {
  readonly short: string
  readonly isDangerous?: true
}

const PAGE_NAMES: Readonly<Record<ViewPage, string>> = { devices: 'Devices', locations: 'Locations' }

/** The palette has the same line on every page. */
export const commandOfView = (page: ViewPage, { id, name, isOwn, ownerName }: SavedView) => ({
  id: `view ${id}`,
  label: `Open view ${name}`,
  detail: [PAGE_NAMES[page], !isOwn && ownerName && `by ${ownerName}`].filter(Boolean).join(', '),
  icon: IconBookmark,
})

/** It offers the actions of the views menu to the palette, and returns those of the open view. */
export function useViewCommands(
  page: ViewPage,
  views: ReturnType<typeof useViews>,
  onEdit: (view: SavedView | 'new') => void,
) {
  const { data, picked, isChanged, open, saveOver } = views
  const ofPicked = usePickedActions(page, picked, data?.defaultId, onEdit)
  const isSavable = isChanged && picked?.mayChange && picked.lost === null
  usePaletteCommands([
    {
      actionId: 'view.save',
      label: 'Save as a view',
      searchTerms: 'keep filter new',
      icon: IconBookmark,
      run: () => onEdit('new'),
    },
    ...(isSavable
      ? [
          {
            actionId: 'view.save' as const,
            id: 'view.save over',
            label: `Save view ${picked.name}`,
            icon: IconBookmark,
            run: () => saveOver(picked),
          },
        ]
      : []),
    ...(picked && isChanged
      ? [
          {
            actionId: 'view.open' as const,
            id: 'view.reset',
            label: `Reset view ${picked.name}`,
            icon: IconBookmark,
            run: () => open(picked),
          },
        ]
      : []),
    ...ofPicked.map((actionId): PaletteCommand => ({ ...actionId, icon: IconBookmark })),
    ...(data?.views ?? []).map(
      (view): PaletteCommand => ({
        ...commandOfView(page, view),
        actionId: 'view.open',
        among: 'Views',
        run: () => open(view),
      }),
    ),
  ])
  return ofPicked
}

function usePickedActions(
  page: ViewPage,
  view: SavedView | undefined,
  defaultId: number | null | undefined,
  onEdit: (view: SavedView) => void,
): readonly ViewAction[] {
  const makeDefault = useChange(setDefaultView)
  if (view === undefined) return []
  const isDefault = view.id === defaultId
  const remove = () => {
    const shared = view.share ? ` It is shared with ${view.shareName || 'others'}.` : ''
    const words = { title: 'Delete view', text: `Delete the view “${view.name}”?${shared}`, isDangerous: true }
    return confirmAndChange(deleteView, { body: { id: view.id } }, words)
  }
  const byAll: ViewAction = {
    actionId: 'view.default',
    short: isDefault ? 'No default' : 'Make default',
    label: isDefault ? 'Open no view by default' : `Make view ${view.name} the default`,
    run: () => makeDefault.mutate({ body: { page, id: isDefault ? null : view.id } }),
  }
  if (!view.mayChange) return [byAll]
  return [
    byAll,
    {
      actionId: 'view.share',
      short: 'Rename or share…',
      label: `Rename or share view ${view.name}`,
      run: () => onEdit(view),
    },
    {
      actionId: 'view.delete',
      short: 'Delete',
      label: `Delete view ${view.name}`,
      isDangerous: true,
      run: () => void remove(),
    },
  ]
}
